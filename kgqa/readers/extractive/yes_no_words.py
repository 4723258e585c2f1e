"""The words that the yes-no model looks for in a question and in the sentences of a passage."""

from __future__ import annotations

CUES = {
    "but": r"however|although|though|but|despite|whereas|while|yet",
    "unlike": r"unlike|differs?|differed|different(?:ly)?|distinct|distinguish\w*|confused|opposed|rather|instead|separate\w*",
    "only": r"only|solely|exclusively|limited|restricted|except\w*|excluding|unless",
    "former": r"former(?:ly)?|previously|originally|until|replaced|closed|cancell?ed|ended|abolished|discontinued|defunct|ceased|"
    r"dissolved|prohibit\w*|illegal|banned|forbid\w*|outlawed|unlawful",
    "fiction": r"fiction\w*|imaginary|mythical|legend\w*|myth|hypothetical",
    "same": r"also known|also called|same|synonym\w*|identical|equivalent|interchangeabl\w*|known as|alias|refer(?:s|red)? to as",
    "may": r"can|may|allow\w*|permit\w*|legal\w*|able|possible|possibly|available",
    "holds": r"includ\w*|such as|contain\w*|consist\w*|compris\w*|encompass\w*|part of|member\w*",
    "also": r"also|as well|both|many|several|various|most|often|commonly|usually|typically",
    "partly": r"some|sometimes|certain|depend\w*|few|generally",
    "coming": r"renewed|announced|confirmed|scheduled|upcoming|will|plans?|planned|sequel",
    "based": r"based on|true story|inspired by|loosely|adapt\w*|novel|real",
    "first": r"first|won|winning|champions?",
    "lost": r"lost|lose|defeat\w*|runner\w*|nominat\w*|reached|denied|refus\w*|reject\w*|acquit\w*|proposed|attempt\w*",
}
FRAMES = {
    "same": r"same|difference|different|equal", "part": r"part of|belong|member of|included in",
    "true": r"true story|real|based on|true", "still": r"still|today|now|anymore|currently", "ever": r"ever", "any": r"any",
    "going": r"going to be|another|season \w+|new|next|sequel|after|second|movie|episode", "won": r"won|wins?",
    "always": r"always|all|every|only|must|have to|need to|required", "there": r"(?:is|are|was|were) there",
    "allowed": r"can you|can a|can i|legal|allowed|illegal|possible", "also": r"also|known as|called",
    "made": r"made|come from|contain|use[ds]?", "end": r"dies?|end|get together|killed",
    "more": r"more|than|bigger|larger|better|before|first",
}  # fmt: skip
FRAME_CUE_PAIRS = (
    "same-unlike same-same true-fiction true-based going-coming going-former still-former ever-lost ever-first won-lost "
    "won-first always-partly always-only always-may allowed-may allowed-former part-holds any-holds made-holds"
).split()
"""Frames of a question that count together with cues of a sentence."""
PASSAGE_CUES = "but unlike only former fiction lost coming same based".split()
"""The cues that are looked for in the whole passage, too."""
OPPOSITES = (
    "public private,north south,east west,northern southern,eastern western,large small,larger smaller,high low,higher lower,"
    "first last,male female,men women,man woman,old new,early late,before after,legal illegal,increase decrease,hot cold,"
    "warm cold,hard soft,true false,fiction fact,above below,inside outside,begin end,win lose,won lost,alive dead,left "
    "right,acid base,"
    "positive negative,major minor,maximum minimum,more less,most least,open closed,natural artificial,simple complex,"
    "liquid solid,long short,direct indirect,visible invisible,possible impossible,formal informal,common rare,same different,"
    "similar different,real fictional,animal plant,plural singular,fruit vegetable,state territory,odd even,rise fall,"
    "mandatory optional,mandatory voluntary,required optional,free paid,allowed prohibited,legal prohibited,permitted prohibited"
)
FIRST_WORDS = "is are was were do does did can could will would has have had should".split()
