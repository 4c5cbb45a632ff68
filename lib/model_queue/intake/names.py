"""The names of models and sources in a message, resolved against the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from model_queue.intake.lexicon import Lazy
from model_queue.intake.normalize import normalize, simplified
from model_queue.intake.phrases import Phrases
from model_queue.intake.values import Catalog

_TOKEN = Lazy(r"[a-z0-9][a-z0-9._:/+-]{0,80}")
_ARTICLE = Lazy(
    r"(?:the|our|my|your|das|die|der|den|dem|unser|unserem|el|la|los|le|les|notre|nuestro)\s{1,2}|l'"
)
_OF = Lazy(r"\s{0,2}(?:的|'s|上的|端的|端|里的|中的|那个|这个)?\s{0,2}")
_NOUN = Lazy(
    r"\s{0,2}(?:(?:model|llm|queue|source|gpu|one|ollama|modell|modelo|modèle)\b|"
    r"(?:的)?(?:大模型|小模型|模型|队列|源|(?:の)?モデル|모델))"
)
_NOUN_FIRST = Lazy(r"(?:modelo|modèle|fuente)\s{1,2}")
"""A noun that stands before what says which: "el modelo local"."""
_ON = Lazy(r"\s{1,2}(?:on|at|from|via|in)\s{1,2}(?:the\s{1,2})?|\s{0,2}[(@]\s{0,2}")
_FAMILIES = [
    "gpt",
    "chatgpt",
    "claude",
    "gemini",
    "deepseek",
    "grok",
    "phi",
    "gemma",
    "mixtral",
    "kimi",
    "ernie",
    "yi",
    "falcon",
    "vicuna",
    "codellama",
    "starcoder",
    "opus",
    "sonnet",
    "haiku",
    "qwen",
    "llama",
    "mistral",
    "glm",
    "minimax",
    "doubao",
    "hunyuan",
    "baichuan",
    "command-r",
    "codex",
    "o1",
    "o3",
    "o4",
    "palm",
    "bard",
    "nemotron",
    "granite",
    "codestral",
    "devstral",
    "magistral",
    "bloom",
    "cohere",
]
_FAMILY = Lazy(
    rf"(?:{'|'.join(_FAMILIES)})(?:[-.:/]?[a-z]{{0,12}}[-.:]?\d[a-z0-9._:-]{{0,20}}|"
    r"(?:-[a-z0-9.]{1,12}){1,4}|)$"
)
_UNKNOWN_ZH = (
    "文心一言",
    "文心",
    "通义千问",
    "通义",
    "豆包",
    "混元",
    "智谱",
    "星火",
    "月之暗面",
)


_OPENERS = frozenset(
    [
        "the",
        "our",
        "my",
        "your",
        "das",
        "die",
        "der",
        "den",
        "dem",
        "unser",
        "unserem",
        "el",
        "la",
        "los",
        "le",
        "les",
        "l",
        "notre",
        "nuestro",
        "modelo",
        "modèle",
        "fuente",
    ]
)
"""Words that stand before a name and are read with it."""
_FAMILY_HEADS = tuple(_FAMILIES)


class Ref:
    """A name found in a message.

    Attributes:
        source: the source that it selects or narrows to, None when it names a model.
        models: ``(source, model)`` pairs that fit; empty for a bare source.
        end: where the name ends. kind: ``source``, ``model`` or ``unknown``.
        is_full: a full source name, or a word with its noun (``remote model``).
        is_name: a full source name.
    """

    __slots__ = ("end", "is_full", "is_name", "kind", "models", "source", "start")

    def __init__(
        self,
        *,
        start: int,
        end: int,
        kind: str,
        source: str | None = None,
        models: tuple[tuple[str, str], ...] = (),
        is_full: bool = False,
        is_name: bool = False,
    ) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.source = source
        self.models = models
        self.is_full = is_full
        self.is_name = is_name


_SHORTEST = 2
"""Characters of a part of a model's name that may stand for it."""


class Names:
    """The catalog, prepared for looking names up."""

    __slots__ = (
        "_aliases",
        "_apart",
        "_cache",
        "_cjk",
        "_models",
        "_openings",
        "_sourced",
        "_sources",
        "default",
    )

    def __init__(self, catalog: Catalog, phrases: Phrases) -> None:
        self._models = [
            (source, model)
            for source, models in catalog.sources.items()
            for model in models
        ]
        self._sources = {source.lower(): source for source in catalog.sources}
        self._apart: dict[str, list[str]] = {}
        for name in self._sources:
            first = name.partition("-")[0]
            if first != name:
                self._apart.setdefault(first, []).append(name)
        self._aliases = {
            normalize(alias).text: source
            for source, aliases in catalog.aliases.items()
            for alias in aliases
            if source in catalog.sources
        }
        for alias, words in phrases.source_words().items():
            for word in words if alias in self._aliases else ():
                self._aliases.setdefault(simplified(word), self._aliases[alias])
        self._cjk = sorted(
            (a for a in self._aliases if not a.isascii()), key=len, reverse=True
        )
        self._openings: dict[str, bool] = {}
        self._sourced: dict[str, bool] = {}
        self._cache: dict[str, tuple[tuple[str, str], ...]] = {}
        only = next(iter(catalog.sources)) if len(catalog.sources) == 1 else None
        self.default = catalog.default or only

    def may_begin(self, key: str) -> bool:
        """Tell whether a name may begin with a word, or a character of one."""
        found = self._openings.get(key)
        if found is None:
            found = self._openings[key] = self._opens(key)
        return found

    def _opens(self, key: str) -> bool:
        if not key:
            return False
        if (
            key in _OPENERS
            or key in self._apart
            or any(name.startswith(key) for name in (*self._sources, *self._aliases))
        ):
            return True
        if not key.isascii():
            return any(name.startswith(key) for name in _UNKNOWN_ZH)
        if key.startswith(_FAMILY_HEADS):
            return True
        return any(key in model.lower() for _, model in self._models)

    def is_source(self, key: str) -> bool:
        """Tell whether a source's name or alias may begin with a word."""
        found = self._sourced.get(key)
        if found is None:
            known = (*self._sources, *self._aliases)
            found = self._sourced[key] = any(name.startswith(key) for name in known)
        return found

    def source_of(self, word: str) -> str | None:
        """Return the source of a full name or alias, None when there is none."""
        return self._sources.get(word) or self._aliases.get(word)

    def canonical_source(self, word: str) -> str | None:
        """Return the source of a full name in any case."""
        return self._sources.get(word.lower())

    def models_for(self, token: str) -> tuple[tuple[str, str], ...]:
        """Return the models a token fits: full name, else last segment, else part."""
        found = self._cache.get(token)
        if found is None:
            found = self._cache[token] = self._fit(token, self._models)
        return found

    def _fit(
        self, token: str, among: Sequence[tuple[str, str]]
    ) -> tuple[tuple[str, str], ...]:
        lowered = [(pair, pair[1].lower()) for pair in among]
        full = tuple(pair for pair, name in lowered if name == token)
        if full or len(token) < _SHORTEST or token.isdigit():
            return full
        last = tuple(p for p, name in lowered if name.rpartition("/")[2] == token)
        if last:
            return last
        return tuple(
            p for p, name in lowered if _has_part(name.partition("/")[2] or name, token)
        )

    def _within(self, source: str, text: str, at: int) -> tuple[tuple[str, str], ...]:
        """Return the models of one source that the token at a position fits.

        Looked for among its own, so that "the remote llama3" finds llama3:70b although
        another source has a llama3 to the letter.
        """
        token = _TOKEN.match(text, at)
        word = token.group().rstrip(".:/-") if token else ""
        return self._fit(word, [pair for pair in self._models if pair[0] == source])

    def at(
        self, text: str, start: int, end: int, *, is_alone: bool = False
    ) -> Ref | None:
        """Return the name that begins at a position, None when none does.

        ``is_alone``: an alias behind an article needs no noun ("the cloud").
        """
        article = _ARTICLE.match(text, start, end)
        position = article.end() if article else start
        leading = _NOUN_FIRST.match(text, position, end)
        named = self._source_at(text, leading.end() if leading else position, end)
        if named is None:
            return self._model_at(text, position, end, has_article=bool(article))
        source, after, is_name = named
        of = _OF.match(text, after, end)
        inner = self._model_at(text, of.end() if of else after, end, has_article=True)
        if inner and inner.models:
            kept = self._within(source, text, inner.start)
            if kept:
                return Ref(
                    start=start, end=inner.end, kind="model", models=kept, is_full=True
                )
            if of and "的" in of.group():
                # 本地的 glm5: a model that this source does not have.
                return Ref(start=start, end=inner.end, kind="unknown")
        noun = _NOUN.match(text, after, end)
        is_set_off = text.startswith(":", after)
        if article and not (noun or leading or is_name or is_set_off or is_alone):
            return None
        return Ref(
            start=start,
            end=noun.end() if noun else after,
            kind="source",
            source=source,
            is_full=is_name or bool(noun or leading),
            is_name=is_name,
        )

    def _source_at(
        self, text: str, start: int, end: int
    ) -> tuple[str, int, bool] | None:
        token = _TOKEN.match(text, start, end)
        if token:
            word = token.group().rstrip(".:/-")
            source = self.source_of(word)
            if source and not (
                start and text[start - 1].isascii() and text[start - 1].isalnum()
            ):
                return source, start + len(word), word in self._sources
            return self._spelled_apart(text, word, start, end)
        for alias in self._cjk:
            if text.startswith(alias, start) and start + len(alias) <= end:
                return self._aliases[alias], start + len(alias), False
        return None

    def _spelled_apart(
        self, text: str, word: str, start: int, end: int
    ) -> tuple[str, int, bool] | None:
        """Find "ollama local" for ollama-local: too loose to count as the full name."""
        for name in self._apart.get(word, ()):
            spelled = text[start : min(start + len(name), end)]
            after = text[start + len(name) : start + len(name) + 1]
            is_whole = not (after.isalnum() or after in {"-", "_"})
            if is_whole and spelled.replace(" ", "-").replace("_", "-") == name:
                return self._sources[name], start + len(name), False
        return None

    def _model_at(
        self, text: str, start: int, end: int, *, has_article: bool
    ) -> Ref | None:
        token = _TOKEN.match(text, start, end)
        if token is None:
            return self._unknown_cjk(text, start, end)
        word = token.group().rstrip(".:/-")
        after = start + len(word)
        models = self.models_for(word)
        if models:
            after, models = self._narrowed(text, start, after, end, models)
            noun = _NOUN.match(text, after, end)
            return Ref(
                start=start,
                end=noun.end() if noun else after,
                kind="model",
                models=models,
                is_full=True,
            )
        if not has_article and _FAMILY.match(word):
            noun = _NOUN.match(text, after, end)
            return Ref(start=start, end=noun.end() if noun else after, kind="unknown")
        return None

    def _unknown_cjk(self, text: str, start: int, end: int) -> Ref | None:
        for name in _UNKNOWN_ZH:
            if text.startswith(name, start) and start + len(name) <= end:
                return Ref(start=start, end=start + len(name), kind="unknown")
        return None

    def _narrowed(
        self,
        text: str,
        start: int,
        after: int,
        end: int,
        models: tuple[tuple[str, str], ...],
    ) -> tuple[int, tuple[tuple[str, str], ...]]:
        """Let "on nvidia" or "(remote)" behind a model's name narrow the choice."""
        joint = _ON.match(text, after, end)
        if joint is None:
            return after, models
        position = joint.end()
        named = self._source_at(text, position, end)
        if named is None:
            return after, models
        kept = self._within(named[0], text, start)
        if not kept:
            return after, models
        stop = named[1]
        noun = _NOUN.match(text, stop, end)
        stop = noun.end() if noun else stop
        if "(" in joint.group() and text[stop : stop + 1] == ")":
            stop += 1
        return stop, kept


def _has_part(name: str, token: str) -> bool:
    """Tell whether a token stands in a name at the beginning of one of its parts."""
    position = name.find(token)
    while position >= 0:
        before = name[position - 1] if position else "/"
        after = name[position + len(token) : position + len(token) + 1]
        starts = not before.isalnum() or (before.isdigit() != token[0].isdigit())
        ends = not after.isalpha() or not token[-1].isalpha()
        if starts and ends and not (after.isdigit() and token[-1].isdigit()):
            return True
        position = name.find(token, position + 1)
    return False
