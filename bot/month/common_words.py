"""Words by which nobody is told apart from others, of addresses and of names; and names that are nobody's. Data."""

from __future__ import annotations

_PUBLIC = (
    "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com "
    "aol.com gmx.de gmx.net gmx.com web.de t-online.de mail.ru yandex.ru yandex.com proton.me protonmail.com pm.me "
    "fastmail.com fastmail.fm hey.com zoho.com qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net sina.com "
    "naver.com daum.net hanmail.net rediffmail.com orange.fr free.fr laposte.net wanadoo.fr libero.it seznam.cz "
    "wp.pl mailbox.org posteo.de tutanota.com duck.com users.noreply.github.com users.noreply.gitlab.com "
    "noreply.github.com localhost localhost.localdomain alumni.cmu.edu apache.org debian.org kernel.org python.org "
    "acm.org ieee.org"
)
_EVERYBODYS = (
    "admin code contact contato dev developer email git github gitlab guest hello hi info mail me noreply no-reply "
    "root student test ubuntu user work"
)
_COMMON = (
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie tang han cao "
    "deng feng xiao cheng yuan lu jiang cai jia ding wei xue ye yan yu pan du dai xia fan fang shi yao tan liao zou "
    "xiong jin kim lee park choi jung kang cho yoon jang lim nguyen tran le pham hoang phan vu dang bui do ho ngo "
    "duong singh kumar sharma patel gupta khan shah das reddy rao jain mehta verma mishra agarwal ali ahmed hussain "
    "mohammed muhammad mohamed smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez "
    "lopez gonzalez wilson anderson thomas taylor moore jackson martin thompson white harris clark lewis robinson "
    "walker young allen king wright scott torres hill green adams nelson baker hall rivera campbell mitchell carter "
    "roberts silva santos oliveira souza pereira costa ferreira muller schmidt schneider fischer weber meyer wagner "
    "becker ivanov petrov kuznetsov smirnov sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi "
    "rossi russo ferrari cohen levy james john robert michael william david richard joseph charles chris christopher "
    "daniel matthew anthony mark steven stephen paul andrew joshua kevin brian george edward jason jeffrey ryan "
    "jacob eric jonathan justin brandon benjamin ben samuel sam alex alexander max tim tom peter frank jack mary "
    "patricia jennifer linda elizabeth susan jessica sarah karen lisa nancy anna maria laura emily emma julia sandra "
    "kate jane jose juan carlos luis pedro antonio manuel ivan dmitry sergey andrei alexey mohamad amit rahul raj "
    "vijay sanjay ravi arun ankit jun wei jian ming hao yi ying xin tao bin bo fei hui jie jing lei min ning peng "
    "ping qiang rui ting xiang yong yuki hiroshi kenji takashi"
)
_PLACEHOLDERS = (
    "your name, your full name, full name, first last, firstname lastname, first name, last name, user name, "
    "john doe, jane doe, foo bar, test user, test account, test test, example user, some one, unknown user, "
    "unknown author, unknown unknown, no name, no author, not committed yet, root user, super user, system user, "
    "system administrator, local user, default user, git user, github user, git hub, git lab, github actions, "
    "github action, gitlab ci, travis ci, circle ci, jenkins ci, azure pipelines, continuous integration, "
    "build server, build user, ci user, ci bot, vagrant user, ubuntu user, docker user, code space, vs code, "
    "visual studio code, mac book, mac book air, mac book pro, macbook air, macbook pro"
)

# Domains where anybody gets an address, or many people of no common organisation do.
PUBLIC = frozenset(_PUBLIC.split())
# What may stand before the @ of anybody's address.
EVERYBODYS = frozenset(_EVERYBODYS.split())
# Words of names that many people share: the most frequent family and given names of the world.
COMMON = frozenset(_COMMON.split())
# What tools, and people in a hurry, sign with where a full name should stand.
PLACEHOLDERS = frozenset(_PLACEHOLDERS.split(", "))
