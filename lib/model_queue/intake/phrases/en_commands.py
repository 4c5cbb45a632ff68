"""English words of queue commands and questions about the queue."""

from __future__ import annotations

from collections.abc import Mapping

_STATE = (
    r"(?:on )?(?P<word>fail|failed|failing|errored|pending|waiting|queued|blocked|stuck|paused|hold|held|running|"
    r"done|finished|completed|skipped|cancelled|canceled|unfinished|remaining|left)"
)
_THEM = r"(?:tasks?|jobs?|ones?|items?|things?|of them)"
_NOW = (
    r"(?: (?:right now|now|at the moment|currently|today|so far|still|yet|already|please|again|"
    r"in the queue|on the queue|in line))*"
)

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "verb": {
        "cancel": (
            (
                r"(?:cancel|cancle|cancell|canel|cancal|cansel|cancel|cncel|abort|abandon|kill|drop|scrap|"
                r"discard|terminate|axe|ditch|nix|bin|trash|delete|remove|revoke|withdraw|stop|call off|"
                r"forget about|forget|give up on|give up|get rid of|throw away|throw out|"
                r"no longer needed|no longer need|don't need|not needed|don't bother with|"
                r"don't want|never mind|nevermind|scratch|toss|strike|dismiss|quit|pull|take out|take off|shelve|no need for|no use for|cancellation|let go of|pull the plug on|shelve for good)"
            ),
            r"(?:do not|doesn't|does not|isn't|is not|won't|no) (?:need|want|be needed|needed)",
            r"could|is|has|must|may|needs|should|to|can|be|need=>(?:(?:can|may|should|could|must|needs? to|has to|is to) )?be (?:dropped|cancelled|canceled|killed|scrapped|abandoned|deleted|removed|binned|stopped|aborted|thrown out)",
            r"call (?=t)",
        ),
        "skip": (
            (
                r"(?:skip|skp|sikp|skpi|bypass|pass over|leave out|jump over|skip over|ignore|omit|"
                r"move past|step over|leave aside|pass on|go past|hop over)"
            ),
            r"could|is|has|must|may|needs|should|can|need=>(?:can|may|should|could|must|needs? to|has to|is to) be (?:skipped|left out|passed over|ignored|omitted)",
        ),
        "retry": (
            (
                r"(?:retry|rety|retri|retrry|rtery|redo|restart|relaunch|repeat|rerun|reattempt|reexecute|"
                r"requeue|try again|run again|start again|another try|another go|another shot|"
                r"another attempt|another run|another chance|start over|retrigger)"
            ),
            r"(?:re-try|re-do|re-run|re-execute|re-queue|re-trigger)",
            r"a second (?:try|go|attempt|chance|run)",
            r"could|is|has|must|may|needs|should|can|need=>(?:can|may|should|could|must|needs? to|has to|is to) be (?:retried|rerun|re-run|restarted|repeated|run again|redone)",
        ),
        "again": (
            r"(?:again|once more|one more time|once again|over again|from scratch|from the start)",
        ),
        "pause": (
            (
                r"pause|puase|pasue|paus|hold|on|suspend|freeze|halt|park|put|stop|stand|standby|wait|take=>(?:pause|puase|pasue|paus|hold off on|hold off|on hold|hold|suspend|freeze|halt|"
                r"park|put on ice|on ice|stop for now|stop for a (?:while|moment|bit)|stand by|standby|"
                r"wait with|hold on with|take a break)"
            ),
            r"could|is|has|must|may|needs|should|can|need=>(?:can|may|should|could|must|needs? to|has to|is to) (?:be (?:paused|halted|suspended|put on hold|held|parked)|wait)",
        ),
        "resume": (
            (
                r"(?:resume|resum|reusme|rseume|unpause|un-pause|unfreeze|unsuspend|continue|carry on|carry on with|"
                r"go on with|go on|keep going|keep on|proceed with|proceed|off hold|reactivate|unhold|let run|pick up|"
                r"pick back up|pick|kick off|fire up|launch|start up|back on|get going|take off hold|start)"
            ),
        ),
        "unblock": (
            (
                r"(?:unblock|unblok|unbolck|un-block|unlock|unstick|release|free up|free|lift the block|"
                r"remove the block|clear the block|clear the blockage|lift the blockage|"
                r"remove the blocker|unjam|let through|get unstuck|drop the block|"
                r"override the block)"
            ),
        ),
        "clear": (
            (
                r"(?:clear out|clear|empty out|empty|flush|purge|wipe|wipe out|clean out|drain|reset|"
                r"clean up|nuke)(?! (?:the block|the blockage))"
            ),
        ),
        "status": (
            (
                r"(?:status|show|list|display|print|progress|overview|state|view|see|check|"
                r"check on|inspect|report on|summary|details|detail|info|look at|position|eta|"
                r"where are we|what's up with|what is up with|tell me about|give me|get me|queue state|rundown|snapshot|recap|summary|lowdown|breakdown|update|updates|any news on|news on|how goes)"
            ),
        ),
        "undo": (
            r"(?:undo|revert|take back|roll back)",
            (
                r"undo (?:the |my )?(?:last|latest|previous)(?: (?:one|thing|action|command|change|step|"
                r"message|request))?"
            ),
            r"(?:take|put|roll) (?:that|it|this|them) back",
        ),
        "negated": (
            (
                r"(?:do not|don't|dont|never|not|shouldn't|should not|mustn't|must not|won't|"
                r"wouldn't|can't|cannot|didn't|did not|haven't|avoid|without|instead of|rather than|"
                r"stop short of)"
            ),
        ),
        "past": (
            (
                r"cancelled|canceled|retried|skipped|resumed|unblocked|cleared|stopped|queued|restarted|reran|aborted|killed|deleted|deprioritised|deprioritized|prioritised|prioritized=>(?:cancelled|canceled|retried|skipped|resumed|unblocked|cleared|stopped|"
                r"queued|restarted|reran|aborted|killed|deleted|deprioriti[sz]ed|prioriti[sz]ed)"
            ),
        ),
    },
    "priority_verb": {
        "set": (
            (
                r"(?:set|make|give|mark|change|treat|move|put|assign|bring|adjust|"
                r"switch|flag|update)"
            ),
            r"priority|prio|importance|the=>(?:the )?(?:priority|prio|importance)(?: (?:of|for|on))?",
        ),
        "5": (
            (
                r"prioritise|prioritize|bump|boost|escalate|raise|upgrade|increase|up|higher|move|push|bring|expedite|speed|sooner|earlier|more|ahead|elevate|promote|important=>(?:prioriti[sz]e|bump up|bump|boost|escalate|raise|upgrade|increase|up|higher|"
                r"move up|push up|bring forward|expedite|speed up|sooner|earlier|more important|"
                r"ahead|elevate|promote|important)"
            ),
        ),
        "10": (
            (
                r"to|top|first|front|next|jump|most|fast|urgent|critical|asap|highest|maximum|max|p0|before=>(?:to the (?:very )?(?:top|front|head)|top|first|front|to top|next in line|"
                r"jump the queue|most important|fast-track|fast track|urgent|critical|asap|highest|"
                r"maximum|max|p0|before everything(?: else)?)"
            ),
        ),
        "-5": (
            (
                r"isn|aren|is|are|no=>(?:isn't|aren't|is not|are not|is no longer|are no longer|no longer) (?:that |so |very |as |really |all that )?"
                r"(?:urgent|important|critical|pressing|a priority)(?: any ?more| any longer)?"
            ),
            (
                r"deprioritize|lowest|deprioritise|push|postpone|demote|lower|decrease|de|less|to|down|downgrade|low|not|reduce|move|later|p3|behind=>(?:deprioriti[sz]e|de-prioriti[sz]e|lower|downgrade|decrease|reduce|demote|down|"
                r"less important|push back|move down|move back|postpone|low|lowest|to the (?:very )?"
                r"(?:bottom|back|end|tail)|behind (?:everything|all|the others|the rest|all others)(?: else)?|to last|p3|less urgent|not urgent|later)"
            ),
        ),
        "high": (r"(?:high|p1)",),
        "normal": (r"(?:normal|default|medium|p2|standard|regular)",),
        "number": (
            r"to|at|of|=|as|priority|prio|level|#=>(?:(?:priority|prio)[:=]? ?)?(?:to |at |of |= ?|as |level )?(?P<n>-?\d{1,7})(?!\d)",
        ),
    },
    "target": {
        "all": (
            (
                r"(?:everything|every task|every job|every one of them|all tasks|all of them|all of it|"
                r"all jobs|all the tasks|all the jobs|the lot|the whole lot|everyone|all my tasks|"
                r"all our tasks|all|every single task|the rest)(?! (?:on|in|of) )"
            ),
            r"(?:everything|all tasks|all of them|all jobs|all the tasks|all|every task|all of it)(?= (?:on|in|of) )",
            (
                r"(?:all|every|each|any)(?: of)?(?: the| my| our)? (?P<word>failed|pending|waiting|blocked|"
                r"paused|running|skipped|cancelled|queued|stuck|done|finished|remaining|open|"
                r"low-priority|active)(?: (?:tasks?|jobs?|ones?|items?|things))?"
            ),
            (
                r"failed|blocked|paused|pending|skipped|stuck|waiting|running|queued|the=>(?:the )?(?P<word>failed|blocked|paused|pending|skipped|stuck|waiting|running|queued) "
                r"(?:tasks|jobs|ones)"
            ),
            (
                r"failed|blocked|paused|pending|skipped|stuck=>(?P<word>failed|blocked|paused|pending|skipped|stuck)"
                r"(?=(?: (?:please|pls|now|again))?[ .!]{0,3}\Z)"
            ),
            (
                r"(?:whatever|everything|anything)(?: that)?(?: is|'s| has)? (?P<word>failed|pending|waiting|"
                r"blocked|paused|running|stuck|left|queued)"
            ),
        ),
        "queue": (
            (
                r"queue|queues|taskqueue|taskqueues|task|modelqueue|modelqueues|model|workqueue|workqueues|work|jobqueue|jobqueues|job|whole|entire|complete|current|full|the|my|our|your|this=>(?:the |my |our |your |this )?(?:(?:whole|entire|complete|current|full) )?"
                r"(?:(?:task|model|work|job)[ -]?)?queues?"
            ),
            r"(?:all|every|each)(?: of)?(?: the)? (?:(?:task|model)[ -]?)?queues?",
        ),
        "point": (
            (
                r"(?:that|this|the) (?:last |previous |first |other |same |failed |stuck |blocked |running )?"
                r"(?:one|task|job)"
            ),
            (
                r"(?:those two|these two|the last one|the previous one|the other one|that thing|that|it|this|them|those|these|"
                r"the latest|my last task|the one before|the last task|both of them|both|the task|"
                r"that thing|a task|some task|some of them|one of them|my task)(?! (?:of|for|from|with|to)\b)"
            ),
        ),
    },
    "filler": {
        "filler": (
            (
                r"(?:please|pls|plz|thanks|thank you|thx|can|could|would|will|you|u|me|the|a|an|for|now|"
                r"to|of|on|in|is|it's|its|it|just|again|ok|okay|so|and|then|task|tasks|job|jobs|id|number|with|"
                r"at|up|out|right|away|asap|immediately|later|let's|lets|let|us|give|put|take|want|"
                r"i'd|i'm|i|like|need|we|my|our|this|that|be|been|get|got|hey|hi|hello|model|source|"
                r"also|too|as|well|first|today|quickly|moment|minute|while|bit|go|ahead|help|should|"
                r"till|until|tomorrow|anymore|any|more|after|all|from|have|has|there|queue|run|try|runs|"
                r"failed|paused|blocked|running|pending|stuck|skipped|cancelled|waiting|sir|mate|"
                r"everything|else|another|time|once|one|both|same|don't|kindly|ones|current|still|"
                r"actually|oh|well|sorry|alright|yes|no|wait|might|may|shall|do|off|back|over)"
            ),
        ),
    },
    "state": {
        "state": (
            (
                r"(?:done|finished|complete|completed|ready|running|pending|waiting|blocked|paused|failed|"
                r"failing|fails|finishes|completes|ends|succeeds|starts|stuck|queued|skipped|cancelled|canceled|progress|going|doing|happening|coming|"
                r"along|active|open|left|remaining|outstanding|fail|finish|start|started|status|state|"
                r"taking|long|yet|already|report|reports|answer|answers|findings|fine|ok|alive|through|complete|succeed|succeeded|stand|stands|"
                r"position|eta|up|scheduled|busy|idle|empty|slow|late|held|on hold|in line|next|ahead|"
                r"execute|executing|executed|work|working|hang|hanging|turn|settled|resolved|result|log|logs|output|"
                r"results|outcome|outcomes|error|errors|reason|reasons|details|wrong|far)"
            ),
        ),
        "ask": (
            (
                r"(?:what's|whats|what're|what|how's|hows|how|when|where's|where|which|who|is|are|was|were|"
                r"didn't|doesn't|did|does|do|hasn't|has|have|had|will|any|anything|many|much|what is|show|tell|give|list|"
                r"see|check|display|print|view|read|notify|ping|inform|alert|isn't|hasn't|didn't|doesn't|aren't|know|let)"
            ),
        ),
        "explain": (r"(?:why's|why|explain|reason|reasons|how come)",),
    },
    "status_whole": {
        "status": (
            (
                r"show|list|see|view|display|print|give|get|tell=>(?:show|list|see|view|display|print|give me|get me|tell me)"
                r"(?: (?:me|us|all|every|everything|the|my|our|any|a list of|of|only|just|what|which|"
                r"ones|those|that|is|are|has|have|was|were|been|currently|still|now|tasks?|jobs?)){0,6}"
                rf" {_STATE}(?: {_THEM})?(?: list)?{_NOW}"
            ),
            (
                r"failed|failing|pending|waiting|queued|blocked|stuck|paused|running|finished|completed|skipped|"
                r"cancelled|canceled|unfinished|remaining|the|my|our|all|any|open=>(?:(?:the|my|our|all|any) ){0,2}"
                r"(?P<word>failed|failing|pending|waiting|queued|blocked|stuck|paused|running|finished|completed|"
                rf"skipped|cancelled|canceled|unfinished|remaining|open) (?:tasks|jobs|ones)(?: list)?{_NOW}"
            ),
            (
                r"any|the|all|show|list|see|me|us|my|our|recent|fails|failures|failure=>(?:(?:show|list|see) )?(?:(?:me|us|the|all|any|my|our|recent) ){0,3}"
                rf"(?P<word>fail)(?:ures?|s){_NOW}"
            ),
            (
                rf"what|which|what's|who|whats=>(?:what|which|what's|whats)(?: {_THEM})?"
                r"(?: (?:is|are|has|have|had|was|were|did|do (?:you|we|i) have|'s))?"
                r"(?: (?:been|still|currently|now|already|all|just))*"
                rf" {_STATE}{_NOW}"
            ),
            (
                rf"how=>how many(?: {_THEM})?(?: (?:are|have|were|still|currently|been|is|has))* {_STATE}"
                rf"(?: {_THEM})?{_NOW}"
            ),
            (
                r"is|are|did|has|have|any|anything|do|was|were=>(?:is|are|did|has|have|was|were|do (?:we|you|i) have|any|anything)"
                rf"(?: (?:there|any|anything|something|a|{_THEM}))* "
                rf"(?:been )?{_STATE}(?: {_THEM})?{_NOW}"
            ),
            (
                r"why=>why (?:is|are|does|do|did|isn't|aren't|doesn't|don't|has|have|hasn't|haven't|won't) "
                r"(?:nothing|anything|everything|all|no tasks?|none|the (?:task |model )?queues?|my tasks|the tasks|"
                r"my jobs|all tasks)(?: of them)?(?: (?:is|not|be|been|still|all|just))*"
                r" (?:running|run|runs|started|starting|start|moving|move|happening|happen|happened|stuck|waiting|"
                r"blocked|paused|going on|working|progressing|get done|getting done|done|slow|taking so long)"
                rf"{_NOW}"
            ),
            (
                r"what=>what (?:are|is) (?:you|we|the (?:task |model )?queue|everything|it all) "
                rf"(?:waiting for|waiting on|doing|working on|busy with|up to){_NOW}"
            ),
            (
                r"status|show|queue|task|model|tasks|give|what|any|progress|how|where|overview|list=>(?:status|show|list|show status|queue status|queue state|task queue status|model queue status|task status|tasks status|status report|"
                r"status of (?:the )?(?:tasks|queue|queues|everything)|status please|show the status|"
                r"show me the status|give me (?:a |the )?status(?: update| report| overview)?|"
                r"what's the status|what is the status|status update|any updates?|progress|"
                r"progress report|how's it going|how is it going with the tasks|"
                r"show (?:me )?(?:all|everything)|show all of (?:it|them)|what happened|"
                r"how far are we|how far along are we|where are we|where do we stand|"
                r"what's going on|what's happening|overview)"
            ),
            (
                r"(?:show|list|display|print|see|view|check|get|give)(?: me| us)? (?:(?:all|the|my|our|"
                r"every|current|a list of|of|open|pending|running|queued|waiting|blocked|paused|failed|"
                r"finished|done|remaining|active|completed|skipped|cancelled|outstanding) ){0,5}"
                r"(?:tasks?|jobs?|queues?|task list|job list|task queue|tasks in the queue|list of tasks|"
                r"task status|queue status|queue state|task queues)(?: status| list| overview| state)?"
                r"(?: (?:in|on) (?:the )?queue)?(?: please| now| right now| again)?"
            ),
            (
                r"(?:what|which|what's|whats|what is|what are|which are)(?: (?:tasks?|jobs?|ones|things))?"
                r"(?: (?:is|are|were|was|have|has|do (?:you|we|i) have|'s))?(?: (?:currently|still|now|"
                r"already|all))?(?: (?:been))?(?: (?:the|my|our))? ?(?:running|pending|waiting|queued|blocked|"
                r"paused|failed|stuck|done|finished|left|in progress|going on|in the (?:task |model )?queue|"
                r"on the (?:task |model )?queue|left to do|outstanding|active|open|being worked on|"
                r"next in (?:the )?(?:line|queue)|up next|queued up|(?:still )?to do|happening|"
                r"the (?:current )?(?:status|state) of (?:the|my|our|all) (?:tasks|jobs|queue|queues)|"
                r"running tasks|pending tasks|failed tasks)(?: (?:right now|now|at the moment|"
                r"currently|today|there|in the queue|on the queue|so far|still|yet))?"
            ),
            (
                r"how many (?:(?:tasks?|jobs?|things|items|of them) )?(?:(?:are|have|do (?:you|we|i) have|"
                r"were|still) ){0,2}(?:still |currently |left |been )?(?:running|pending|waiting|queued|blocked|paused|failed|done|finished|"
                r"left|in progress|in the queue|open|outstanding|remaining|there|active|stuck)?"
                r"(?: (?:right now|now|at the moment|in the queue|on the queue|today|so far|are left|"
                r"tasks))?"
            ),
            (
                r"(?:is|are|was|were|did|has|have|do we have|do i have|any) (?:there )?(?:any|anything|"
                r"all|some|everything|something|every|the|my|our)?(?: (?:tasks?|jobs?|queue|queues|of "
                r"(?:them|the tasks|my tasks)))? ?(?:still )?(?:running|pending|waiting|queued|blocked|"
                r"paused|failed|stuck|done|finished|left|in progress|in the queue|open|outstanding|"
                r"busy|idle|empty|fail|complete|completed|finish)(?: (?:right now|now|at the moment|"
                r"in the queue|on the queue|today|so far|yet|still))?"
            ),
            (
                r"how=>(?:how (?:is|are|'s)) (?:the|my|our) (?:queues?|tasks|jobs)(?: (?:doing|going|looking|"
                r"coming along|getting on))?"
            ),
            (
                r"show|what=>(?:show|what is|what's|what was)(?: me)? (?:the|my) (?:last|latest|newest|most recent|previous) (?:task|job|one)"
                r"(?: doing| status)?"
            ),
            r"(?:what does the queue look like|how does the queue look|how long is the queue)",
        ),
    },
}
