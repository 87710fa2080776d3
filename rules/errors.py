"""The one family of errors that the rules raise."""


class RulesError(ValueError):
    """What cannot be done by the rules: a stable code for programs and a sentence for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    def to_json(self) -> dict[str, object]:
        """The error as decoded JSON."""
        return {"code": self.code, "text": self.text}
