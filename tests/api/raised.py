"""The refusals that the code can raise, found in its source: codes, and texts as examples."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]

TEXT_AT = {
    "Problem": 2,
    "RulesError": 1,
    "IllegalMove": 1,
    "StorageAway": 1,
    "BadName": 0,
    "BadPhoto": 0,
    "BadImageError": 0,
    "Refusal": 1,
}
"""Where the text stands among the arguments; its code stands before it, if there is one."""

NOT_OVER_HTTP = ("api/cli/", "/command_line/", "api/storage/backup", "api/storage/restor")


@dataclass(frozen=True)
class Raised:
    """A refusal in the source. ``texts`` are examples with 7 filled in; none if it is passed on."""

    where: str
    code: str | None
    texts: tuple[str, ...]


def all_raised() -> list[Raised]:
    """Every refusal that a request over HTTP can meet."""
    found: list[Raised] = []
    for layer in ("api", "rules", "calibration", "vision"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(part in name for part in NOT_OVER_HTTP):
                found += _raised_in(path, name)
    return found


def _raised_in(path: Path, name: str) -> Iterator[Raised]:
    module = ast.parse(path.read_text("utf-8"))
    parents = {child: node for node in ast.walk(module) for child in ast.iter_child_nodes(node)}
    for call in ast.walk(module):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        at = TEXT_AT.get(call.func.id)
        if at is None or len(call.args) <= at:
            continue
        code = call.args[at - 1] if at else None
        texts = _Source(module, name, parents, call).examples(call.args[at])
        yield Raised(
            f"{name}:{call.lineno}",
            code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None,
            tuple(dict.fromkeys(texts)),
        )


@dataclass(frozen=True)
class _Source:
    module: ast.Module
    name: str
    parents: dict[ast.AST, ast.AST]
    call: ast.Call

    def examples(self, node: ast.expr) -> list[str]:
        """Texts that an expression can be; none if it is made elsewhere."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=values):
                texts = [""]
                for value in values:
                    pieces = self._pieces(value)
                    texts = [before + piece for before in texts for piece in pieces]
                return texts
            case ast.IfExp(body=body, orelse=orelse):
                return self.examples(body) + self.examples(orelse)
            case ast.Name(id=name):
                return self._named(name)
            case ast.Call(func=ast.Name(id=name)):
                return self._returned(name)
        return []

    def _pieces(self, value: ast.expr) -> list[str]:
        if isinstance(value, ast.FormattedValue):
            local = isinstance(value.value, ast.Name | ast.IfExp)
            return (self.examples(value.value) if local else []) or ["7"]
        return self.examples(value)

    def _named(self, name: str) -> list[str]:
        scope: ast.AST = self.call
        while scope is not self.module:
            scope = self.parents[scope]
            given = [
                node.value
                for node in ast.walk(scope)
                if isinstance(node, ast.Assign)
                and any(isinstance(to, ast.Name) and to.id == name for to in node.targets)
                and node.lineno <= self.call.lineno
            ]
            if given:
                return self.examples(max(given, key=lambda value: value.lineno))
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                break
        constant = getattr(import_module(self.name[:-3].replace("/", ".")), name, None)
        return [constant] if isinstance(constant, str) else []

    def _returned(self, name: str) -> list[str]:
        for node in ast.walk(self.module):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                given = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
                return [text for value in given if value for text in self.examples(value)]
        return []
