"""The refusal of photos from which location data cannot surely be removed."""


class UncleanableError(ValueError):
    """A file whose parts cannot be told apart: what is in them cannot be removed surely."""

    def __init__(self) -> None:
        self.text = (
            "This photo's file is damaged or of a rare kind, so its location data cannot surely "
            "be removed, and it is not kept: take the photo again, or send it as JPEG."
        )
        super().__init__(self.text)
