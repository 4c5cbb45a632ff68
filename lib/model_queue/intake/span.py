"""The span that is being cut down to the job, and the notes taken on the way."""

from __future__ import annotations

from model_queue.intake import times
from model_queue.intake.context import Context
from model_queue.intake.lexicon import Hit
from model_queue.intake.marks import Marks, canonical_ids
from model_queue.intake.names import Ref


class Span:
    """A part of a protected text that shrinks from both edges.

    ``leads`` and ``tails`` move ``start`` and ``end`` and note what they cut off.
    """

    __slots__ = ("ctx", "end", "marks", "start", "text")

    def __init__(self, text: str, start: int, end: int, ctx: Context) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.ctx = ctx
        self.marks = Marks()

    def opens(self, purposes: tuple[str, ...]) -> bool:
        """Tell whether a phrase for one of some purposes may begin at the front.

        True without purposes, and where a sign stands, with which a user's may begin.
        """
        if not purposes or not self.text[self.start].isalnum():
            return True
        return self.ctx.scan(self.text).begins(purposes, self.start)

    def may_select(self) -> bool:
        """Tell whether a selecting phrase, a name or a bracket may begin at the front."""
        if self.opens(("select",)):
            return True
        return self.ctx.names.may_begin(self.ctx.scan(self.text).key(self.start))

    def at(self, purpose: str, position: int | None = None) -> Hit | None:
        """Return the phrase at the front, or at a position."""
        start = self.start if position is None else position
        return self.ctx.at(purpose, self.text, start, self.end)

    def whole(self, purpose: str, start: int, end: int) -> Hit | None:
        """Return the phrase that is exactly a part of the text."""
        return self.ctx.whole(purpose, self.text, start, end)

    def before(self, purpose: str) -> Hit | None:
        """Return the phrase that ends at the back."""
        return self.ctx.before(purpose, self.text, self.start, self.end)

    def note_ids(self, hit: Hit) -> None:
        """Note the ids that the job waits for."""
        self.marks.spans["depends_on"] = (hit.start, hit.end)
        for found in canonical_ids(hit.groups["ids"], self.ctx.names):
            if found not in self.marks.ids:
                self.marks.ids.append(found)

    def note_fan_in(self, hit: Hit) -> None:
        """Note that the job waits for several before it."""
        self.marks.fan_in = True
        self.marks.spans["depends_on"] = (hit.start, hit.end)
        if hit.kind == "named":
            self.marks.fan_names = hit.words

    def note_time(self, hit: Hit, after: int) -> bool:
        """Note a wished start; False when the phrase names none, or one is known."""
        known = self.ctx.lexicon("time_word")
        wish = times.resolve(hit, self.ctx.now, self.ctx.zone, known)
        if wish is None or self.marks.wish is not None:
            return False
        self.marks.wish = wish
        self.marks.wish_words = (hit.start, hit.end)
        self.marks.spans["not_before"] = (hit.start, hit.end)
        if self.text[after : after + 1] in {":", "\n"} or after >= self.end:
            self.marks.shared.add("wish")
        return True

    def note_priority(self, hit: Hit) -> None:
        """Note a priority; the first one found holds."""
        value = int(hit.groups["n"]) if hit.kind == "number" else int(hit.kind)
        if self.marks.priority is None:
            self.marks.priority = value
            self.marks.spans["priority"] = (hit.start, hit.end)

    def note_ref(self, ref: Ref, start: int) -> None:
        """Note who does it, in words that begin at ``start``."""
        self.marks.ref = ref
        self.marks.spans["model"] = (start, ref.end)

    def note_policy(self, hit: Hit) -> None:
        """Note what happens when a dependency fails."""
        self.marks.policy = hit.kind
        if hit.kind == "block":
            # "Only if T-004 succeeds" waits for it too.
            self.marks.ids += canonical_ids(hit.words, self.ctx.names)
        self.marks.spans["on_depends_fail"] = (hit.start, hit.end)

    def note_link(self, hit: Hit) -> None:
        """Note how the job is joined to the one before it."""
        if hit.kind == "first":
            self.marks.is_first = True
        elif hit.kind == "also":
            self.marks.is_also = True
        else:
            self.marks.is_chained = True
            self.marks.spans["depends_on"] = (hit.start, hit.end)
