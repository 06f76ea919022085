"""Words that carry no content, in folded spelling.

Both lists hold function words, pronouns, auxiliaries and question words. Negations stay in the index ("not",
"never", 不, 没): what somebody does *not* eat is content. So does "may", which is also a month, and so do Chinese
verbs and places of one character (想, 去, 里), which measured better in than out.
"""

from __future__ import annotations

from typing import Final

ENGLISH: Final[frozenset[str]] = frozenset(
    """
    a an the this that these those such same other another each every either neither both some any
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
    she her hers herself it its itself they them their theirs themselves one ones
    am is are was were be been being have has had having do does did doing done
    will would shall should can could might must ought
    and or but if because as until while so than then though although unless whether
    of at by for with about against between into through during before after above below to from up down
    in out on off over under again further once here there upon within without onto toward towards via per
    who whom whose what which when where why how whatever whichever whoever whenever wherever
    just only own very too also even still already yet ever quite rather really
    all few more most much many several
    get gets got getting go goes going went gone let lets
    oh ok okay yes yeah hey hi hello please thanks thank
    im ive id youre youve hes shes theyre theyve weve thats whats whos theres heres isnt arent wasnt werent
    dont doesnt didnt wont wouldnt cant couldnt shouldnt havent hasnt hadnt aint gonna wanna gotta
    s etc eg ie e.g i.e
    """.split()  # noqa: SIM905
)

HAN: Final[frozenset[str]] = frozenset(
    """
    的 了 着 著 过 地 得 之 者 所 们 个 些 等 等等
    是 在 有 为 被 把 将 让 给 对 向 从 到 由 于 以 与 和 跟 同 及 或 而 且 但 则 即 若 如 因 该 此 其 某 每 各
    我 你 您 他 她 它 咱 俺 我们 你们 您们 他们 她们 它们 咱们 自己 大家 别人
    这 那 这个 那个 这些 那些 这里 那里 这儿 那儿 这样 那样 这么 那么 这种 那种 这是 那是 此时 其中
    谁 什么 哪 哪个 哪些 哪里 哪儿 怎 怎么 怎样 怎么样 如何 为何 为什么 何 何时 哪位
    吗 呢 吧 啊 呀 哦 嗯 哈 嘛 啦 哇 哎 唉 喔 噢 呵 嘿 诶 么
    也 都 就 还 又 才 再 很 太 更 最 已 已经 曾 曾经 正在 正 只 只是 便 却 可 可以 能够 应 应该
    因为 所以 但是 可是 不过 然而 而且 并且 或者 还是 以及 如果 虽然 然后 于是 因此 并 由于 关于 对于 至于
    一 一个 一些 一下 一样 一直 一种 时候 之后 之前 以后 以前 里面 起来 出来 下来 过来
    请 请问 谢谢 你好 您好 好的 是的 真的 比较 有点 有些 就是 也是 都是 还有
    """.split()  # noqa: SIM905
)

#: Terms (stems and Han words) that frame a question about a conversation without saying what it is about. They stay
#: in the index; only questions drop them.
FRAMES: Final[frozenset[str]] = frozenset(
    {"talk", "topic", "tell", "told", "mention", "rememb", "recal", "discuss", "chat", "convers", "remind", "share"}
    | {"say", "said", "聊", "话题", "聊天", "话", "题", "提到", "提", "说过", "告诉", "告", "诉", "记得", "记", "曾经"}
    | {"曾", "谈", "谈到", "聊过", "提起", "提过", "分享"}
)
