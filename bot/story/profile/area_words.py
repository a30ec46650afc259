"""Words that name no area of work by themselves: folders that hold everything, and what every program has. Data."""

from __future__ import annotations

from bot.story.grouping.theme_words import words_of

_CONTAINERS = """
src source sources test tests testing spec specs python py lib libs include includes csrc cpp c cc docs doc
documentation examples example benchmarks benchmark bench scripts script tools tool internal pkg cmd app apps main mod
init __init__ common core utils util helpers misc base types type github workflows .github _src prototype experimental
extension extensions third_party vendor crates packages modules module distributed ops setup build config configs conf
conftest readme changelog cargo makefile cmakelists requirements version pyproject package lock kernels api index unit
integration e2e data assets static resources templates source tutorials tutorial notebooks release ci
"""
_GENERAL = """
api arg argument assert async backward base batch begin bench benchmark binary binaries block blocking bound bug
bugfix build building builds bump bwd cache call check code codes common compatibility compute config context core cpu
cuda data debug default dependency dependencies deprecate deprecation device dict dim dimension dir directory doc docs
docstring dtype end environment env error errors example examples exception exceptions extension extensions external
finish flag flags flake flaky folder format forward framework function fused fwd github global gpu gradient grad graph
group handle handler header headers helper helpers host ignore impl index indices inference init initial input inputs
interface internal item items job kernel kernels key keys kwarg kwargs layer layout len length level library libraries
licence license limit lint list load local lock log logger logging logic loss make map md memory message meta method
methods mod mode model models module modules multiple name names naming nightly nvidia object op operator ops opt
optimise optimization optimize optimizer option options optional output outputs overhead package packages packaging
param parameter parameters params parse pass path paths perf performance phase pin point port private public py pyre
python pytorch rank ranks read readme receive regression regressions release require requirement result results return
rust sampler save script scripts seed send setup shape shapes single size sizes skip speed stage start stat state step
store stream string struct submodule support symbol sync synchronization sys table tag task tensor tensors thread
threads time timeout tool tools torch train training trait tutorial tutorials type types typing typo unit update
upgrade util utility utils valid validate validation value values variable variables verbose version versions warn
warning warnings weight weights wheel wheels workflow workflows world wrapper write
"""
# Folders and files, in small letters.
CONTAINERS = frozenset(_CONTAINERS.split())
# The stems of words that are no area, though they may be a part of its name.
TOO_GENERAL = frozenset(stem for word in _GENERAL.split() for stem in words_of(word))
