"""Times as people write them, each with the days that are meant: asked on Wednesday, 12 November 2025."""

from __future__ import annotations

from datetime import date

import pytest

from bot.ask.times import Now, TimeFound, find_times, time_alone
from bot.ask.words import cleaned, split_words
from bot.month.calendar import Days

TODAY, SPRINT = date(2025, 11, 12), (date(2025, 11, 10), 14)
# What is said | the days, "a + b" where two stand side by side, or "" where no time is read | what is assumed, or said.
READ = """
since the beginning of august | 2025-08..2025-11
until the freeze |
during the sprint |
since my vacation in July | 2025-07..2025-11 | since my vacation in July: July 2025 to November 2025
after our release on 4 July | 2025-07-05..2025-11-12 | after our release on 4 July: 5 July to 12 November 2025
on Fridays |
on weekends |
every Monday |
by week |
Q3 FY25 | | I know no fiscal years, only those of the calendar: say the months, such as from June to August.
FY25 | | I know no fiscal years, only those of the calendar: say the months, such as from June to August.
last fiscal year | | I know no fiscal years, only those of the calendar: say the months, such as from June to August.
sprint 42 |
sprint before last | 2025-10-13..2025-10-26
8/25 | | I do not understand “8/25”: write a month as 2025-10, a day as 2025-10-14.
in 2025-13 | | There is no month 2025-13.
tomorrow | | 13 November 2025 has not begun yet.
early june | 2025-06 | early june: June 2025
since mid-august | 2025-08-11..2025-11-12 | since mid-august: 11 August to 12 November 2025
from early june to mid august | 2025-06-01..2025-08-20 | from early june to mid august: 1 June to 20 August 2025
late last year | 2024-09..2024-12 | late last year: September 2024 to December 2024
recently | 2025-10-14..2025-11-12 | recently: the last 30 days
what is Jerry working on these days | 2025-10-14..2025-11-12 | these days: the last 30 days
lately | 2025-10-14..2025-11-12 | lately: the last 30 days
right now |
week ending 8 August | 2025-08-02..2025-08-08
KW 32 | 2025-08-04..2025-08-10
last 10 days | 2025-11-03..2025-11-12
the last two weeks of july | 2025-07-18..2025-07-31
first two weeks of august | 2025-08-01..2025-08-14
second half of february | 2025-02-15..2025-02-28
from 08/01/2025 to 08/15/2025 | 2025-08-01..2025-08-15
8/1-8/15 | 2025-08-01..2025-08-15
1/8-15/8 | 2025-08-01..2025-08-15 | 1/8-15/8: 1 to 15 August 2025
between the 3rd and the 7th | 2025-11-03..2025-11-07
from the 10th to the 14th of october | 2025-10-10..2025-10-14
last tuesday | 2025-11-11
monday last week | 2025-11-03
over the weekend | 2025-11-08..2025-11-09
last weekend | 2025-11-08..2025-11-09
in the last 24 hours | 2025-11-11..2025-11-12
2 weeks ago | 2025-10-27..2025-11-02
in the last 2 years | 2023-11-12..2025-11-12
same quarter last year | 2024-10..2024-12
year to date | 2025-01..2025-11
versus the year before | 2024-11
in march and may | 2025-03 + 2025-05
in march, may and july | 2025-03..2025-07
compare june and july | 2025-06 + 2025-07
june vs july | 2025-06 + 2025-07
compare june to august | 2025-06 + 2025-08
not in august |
except in july |
other than march |
june and july 2024 | 2024-06 + 2024-07
november 3rd, 2024 | 2024-11-03
on 3rd of november | 2025-11-03
Aug. 14 2025 | 2025-08-14
14-Aug-2025 | 2025-08-14
14/Aug/2025 | 2025-08-14
2025 Aug 14 | 2025-08-14
Sat 8 Nov | 2025-11-08
Monday, 3 November | 2025-11-03
this summer | 2025-06..2025-08 | this summer: June 2025 to August 2025
last summer | 2025-06..2025-08 | last summer: June 2025 to August 2025
in the spring of 2024 | 2024-03..2024-05 | in the spring of 2024: March 2024 to May 2024
spring boot |
over summer | 2025-06..2025-08 | over summer: June 2025 to August 2025
in python 3.10 |
since v2.5 |
2025年8月 | 2025-08
先週 | 2025-11-03..2025-11-09
the whole of october | 2025-10
all of Q3 | 2025-07..2025-09
end of last month | 2025-10 | end of last month: October 2025
beginning of this year | 2025-01..2025-04 | beginning of this year: January 2025 to April 2025
since the end of june | 2025-07..2025-11
until mid-august | 2025-01-01..2025-08-20 | until mid-august: 1 January to 20 August 2025
a year ago | 2024-01..2024-12
the other day |
in 2 weeks |
within the last two weeks | 2025-10-30..2025-11-12
this morning | 2025-11-12 | this morning: 12 November 2025
since christmas | 2024-12-25..2025-11-12
in KW 43 | 2025-10-20..2025-10-26
seit gestern | 2025-11-11..2025-11-12
seit 3 Wochen | 2025-10-22..2025-11-12
in the last 14 days | 2025-10-30..2025-11-12
from Monday on | 2025-11-10..2025-11-12
from the 3rd of November on | 2025-11-03..2025-11-12
vom 1.10. bis 15.10. | 2025-10-01..2025-10-15
1.-15. März | 2025-03-01..2025-03-15
03.11.2025 | 2025-11-03
im Oktober und November | 2025-10 + 2025-11
until end of october | 2025-01..2025-10 | until end of october: January 2025 to October 2025
by end of october | 2025-01..2025-10 | by end of october: January 2025 to October 2025
by october |
since the summer | 2025-06..2025-11 | since the summer: June 2025 to November 2025
in the summer holidays |
this year until now | 2025-01..2025-11
in the first half year |
in the 2nd half of the year | 2025-07..2025-11
end of september | 2025-09 | end of september: September 2025
beginning of october till today | 2025-10..2025-11
mid of october | 2025-10 | mid of october: October 2025
on 10/31/25 | 2025-10-31
10/01/2025 - 10/15/2025 | 2025-10-01..2025-10-15
since 9/1 | 2025-01-09..2025-11-12 | since 9/1: 9 January to 12 November 2025
Oct 1-15 | 2025-10-01..2025-10-15
October 1st through 15th | 2025-10-01..2025-10-15
Oct 1 thru Oct 15 | 2025-10-01..2025-10-15
Oct 28th – Nov 3rd, 2025 | 2025-10-28..2025-11-03
the week of Oct 20th | 2025-10-20..2025-10-26
the week of 10/20 | 2025-10-20..2025-10-26
week of Monday Oct 20 | 2025-10-20..2025-10-26
Fall 2024 | 2024-09..2024-11 | Fall 2024: September 2024 to November 2024
in the fall | 2025-09..2025-11 | in the fall: September 2025 to November 2025
last fall | 2024-09..2024-11 | last fall: September 2024 to November 2024
this past week | 2025-11-06..2025-11-12
the past couple of days | 2025-11-11..2025-11-12
the past three months | 2025-08-12..2025-11-12
past year or so | 2024-11-12..2025-11-12
over the last year | 2024-11-12..2025-11-12
past week | 2025-11-06..2025-11-12
last week mon-sun | 2025-11-03..2025-11-09
last week (mon to sun) | 2025-11-03..2025-11-09
who knows the parser these days | 2024-11-13..2025-11-12 | these days: the last 365 days
mon 3rd | 2025-11-03
the last few months | 2025-08..2025-10 | the last few months: August 2025 to October 2025
Q3 '24 | 2024-07..2024-09
Q3 2024 and Q4 2024 | 2024-07..2024-09 + 2024-10..2024-12
Q3 and Q4 | 2025-07..2025-09 + 2025-10..2025-11
Q1 thru Q3 | 2025-01..2025-09
H2 '24 | 2024-07..2024-12
first quarter 2025 | 2025-01..2025-03
Q4 last year | 2024-10..2024-12
the day before yesterday | 2025-11-10
last Monday through Friday | 2025-11-03..2025-11-07
Monday thru Wednesday | 2025-11-10..2025-11-12
next quarter | | January 2026 to March 2026 has not begun yet.
late September | 2025-09 | late September: September 2025
early Q3 | 2025-07..2025-09 | early Q3: July 2025 to September 2025
mid-2024 | 2024-05..2024-08 | mid-2024: May 2024 to August 2024
last night |
tonight |
5 days ago | 2025-11-07
a couple of weeks ago | 2025-10-27..2025-11-02
a few weeks ago | 2025-10-20..2025-10-26 | a few weeks ago: 20 to 26 October 2025
a month ago | 2025-10
a week ago | 2025-11-03..2025-11-09
within a week |
the last 18 months | 2024-05..2025-10
since January of last year | 2024-01..2025-11
as of October |
over the past 90 days | 2025-08-15..2025-11-12
in the trailing six months | 2025-05-12..2025-11-12
in the month of October | 2025-10
last to last week | 2025-10-27..2025-11-02
last to last month | 2025-09
during the period 1st Oct to 15th Oct | 2025-10-01..2025-10-15
from 1st Oct 2025 till date | 2025-10-01..2025-11-12
from April till now | 2025-04..2025-11
since last 2 weeks | 2025-10-30..2025-11-12
since last Monday | 2025-11-10..2025-11-12
from last 3 months | 2025-08..2025-10
for past 10 days | 2025-11-03..2025-11-12
for the past ten days | 2025-11-03..2025-11-12
on 5th of November 2025 | 2025-11-05
FY 2024-25 | | I know no fiscal years, only those of the calendar: say the months, such as from June to August.
FY25 Q2 | | I know no fiscal years, only those of the calendar: say the months, such as from June to August.
in the current quarter | 2025-10..2025-11
in the current sprint | 2025-11-10..2025-11-23
yesterday and today | 2025-11-11 + 2025-11-12
today | 2025-11-12
day before yesterday | 2025-11-10
in last week | 2025-11-03..2025-11-09
in the previous week | 2025-11-03..2025-11-09
between Oct 1st and Oct 15th | 2025-10-01..2025-10-15
dated 15-10-2025 | 2025-10-15
15-Oct-2025 | 2025-10-15
15/10/2025 to 20/10/2025 | 2025-10-15..2025-10-20
at 2025/10/15 | 2025-10-15
2025/10/01-2025/10/15 | 2025-10-01..2025-10-15
from 2025/10/1 to 2025/10/15 | 2025-10-01..2025-10-15
10月1日から10月15日 | 2025-10-01..2025-10-15
from this April | 2025-04
until last month | 2025-01..2025-10 | until last month: January 2025 to October 2025
in these 3 months | 2025-08..2025-10
in recent 3 months | 2025-08..2025-10
recent two weeks | 2025-10-30..2025-11-12
in the first week of October | 2025-10-01..2025-10-07
the 2nd week of October | 2025-10-08..2025-10-14
the last week of last month | 2025-10-25..2025-10-31
last week of September | 2025-09-24..2025-09-30
the first week of this month | 2025-11-01..2025-11-07
the 1st week of 2025 | 2025-01-01..2025-01-07
in '24 | 2024-01..2024-12
2024-2025 | 2024-01..2025-11
2023/24 | | There is no month 2023-24.
between 2023 and 2024 | 2023-01..2024-12
since 2024 | 2024-01..2025-11
in 2025 so far | 2025-01..2025-11
so far this quarter | 2025-10..2025-11
in the whole of 2024 | 2024-01..2024-12
all of last year | 2024-01..2024-12
before lunch |
the 12th of last month | 2025-10-12
1 to 15 october | 2025-10-01..2025-10-15
february 30 | | There is no 30 February.
week 60 | | There is no week 60.
q5 | | There are four quarters, Q1 to Q4.
H3 | |
december to february | 2024-12..2025-02
in mai | 2025-05
march | 2025-03
the 2024 roadmap |
2024 commits |
top 2024 |
release 2024.10 |
version 24.10 |
ubuntu 24.04 |
python 3.12 |
step 3/4 |
20. - 26. Juli | 2025-07-20..2025-07-26
15 may | 2025-05-15
compare grace's june with ada's august | 2025-06, 2025-08
compare my october with last october | 2024-10 + 2025-10
october vs october 2024 | 2024-10 + 2025-10
october 2025 vs october 2024 | 2024-10 + 2025-10
how does august compare to july | 2025-07 + 2025-08
compare from june to august for ada and grace | 2025-06..2025-08
compare this week with last week | 2025-11-03..2025-11-09 + 2025-11-10..2025-11-16
this month and last | 2025-10 + 2025-11
last month vs the month before | 2025-09 + 2025-10
q2 vs q3 | 2025-04..2025-06 + 2025-07..2025-09
Q2 and Q3 2024 | 2024-04..2024-06 + 2024-07..2024-09
june and july and august | 2025-06..2025-08
june/july | 2025-06..2025-07
in june or july | 2025-06 + 2025-07
compare october with last year | 2024-10 + 2025-10
august this year versus last year | 2024-08 + 2025-08
june 2024 versus 2025 | 2024-06 + 2025-06
monday and tuesday | 2025-11-10 + 2025-11-11
on 3 and 5 november | 2025-11-03..2025-11-05
on the 3rd and the 5th | 2025-11-03 + 2025-11-05
from last monday to yesterday | 2025-11-10..2025-11-11
from june last year to march this year | 2024-06..2025-03
from last june to this march | 2024-06..2025-03
from q1 2024 to q2 2025 | 2024-01..2025-06
from 2024 to now | 2024-01..2025-11
since monday, 3 November | 2025-11-03..2025-11-12
up to 3 November | 2025-01-01..2025-11-03 | up to 3 November: 1 January to 3 November 2025
before monday | 2025-01-01..2025-11-09 | before monday: 1 January to 9 November 2025
after last week | 2025-11-10..2025-11-12
after yesterday | 2025-11-12
before 2025 | 2024-01..2024-12 | before 2025: January 2024 to December 2024
before june | 2025-01..2025-05 | before june: January 2025 to May 2025
before june 2024 | 2024-01..2024-05 | before june 2024: January 2024 to May 2024
until 2024 | 2024-01..2024-12 | until 2024: January 2024 to December 2024
not since june |
instead of august |
per month |
by quarter |
for each week |
most months |
this time last year | 2024-11
same time last year | 2024-11
two sprints ago | 2025-10-13..2025-10-26
the last two sprints | 2025-10-13..2025-11-09
the weekend of 8 november | 2025-11-08..2025-11-09
the weekend before last | 2025-11-01..2025-11-02
first day of october | 2025-10-01
last day of october | 2025-10-31
on the first of october | 2025-10-01
the day after 3 november | 2025-11-04
the week after 3 november | 2025-11-04..2025-11-10
the week before the release |
the month before she left |
3 days after august 14 | 2025-08-15..2025-08-17
the 2 weeks before 1 november | 2025-10-18..2025-10-31
the first 10 days of october | 2025-10-01..2025-10-10
the first fortnight of october | 2025-10-01..2025-10-14
last fortnight | 2025-10-30..2025-11-12
a fortnight ago | 2025-10-27..2025-11-02
in the last 48 hours | 2025-11-10..2025-11-12
last 24h | 2025-11-11..2025-11-12
the third month of 2025 | 2025-03
last half of october | 2025-10-16..2025-10-31
the middle of october | 2025-10 | the middle of october: October 2025
in the second half of last month | 2025-10-16..2025-10-31
since the middle of last month | 2025-10-11..2025-11-12 | since the middle of last month: 11 October to 12 November 2025
by the end of last month | 2025-01..2025-10 | by the end of last month: January 2025 to October 2025
at the end of the month | 2025-11 | at the end of the month: November 2025
at the beginning of the year | 2025-01..2025-04 | at the beginning of the year: January 2025 to April 2025
since the beginning of last week | 2025-11-03..2025-11-12
the end of Q3 | 2025-07..2025-09 | the end of Q3: July 2025 to September 2025
from the start of October to the end of the month | 2025-10..2025-11
from early 2025 until now | 2025-01..2025-11 | from early 2025 until now: January 2025 to November 2025
since late october | 2025-10-21..2025-11-12 | since late october: 21 October to 12 November 2025
november so far | 2025-11
so far in november | 2025-11
since the 3rd | 2025-11-03..2025-11-12
after the 3rd of november | 2025-11-04..2025-11-12
who added M1 support |
who worked on d1 and y2 |
the 1h timeout |
the h1 styles |
in H1 | 2025-01..2025-06
h1 and h2 | 2025-01..2025-06 + 2025-07..2025-11
who fixed the year parsing |
the year | 2025-01..2025-11
over the year | 2025-01..2025-11
who fixed the previous month button |
next month view |
who worked on SAT solvers |
on sat | 2025-11-08
on Fri in web | 2025-11-07
since Mon | 2025-11-10..2025-11-12
who worked on dec parsing |
C++ 2023 support |
2023 summary | 2023-01..2023-12
what changed on 2.4 |
what broke on 3.10 |
on 3.8. in web | 2025-08-03
the 3/4 split |
1/2 and 3/4 |
who wrote the w3 code |
in W43 | 2025-10-20..2025-10-26
first half of the file |
in the spring boot starter |
the fall through case |
who worked on week numbers |
the sprint board |
last line of code |
the last release |
show the last 5 commits |
top 10 of october | 2025-10
3 fixes in june | 2025-06
what happened in 10 days |
within 10 days of october | 2025-10
the march release | 2025-03
what may break |
it may be |
may day |
who reviewed may's work |
mark in march | 2025-03
in may, june or july | 2025-05..2025-07
the second of october | 2025-10-02
now |
around october | 2025-10 | around october: October 2025
weeks 43 to 44 | 2025-10-20..2025-11-02
week 43-44 | 2025-10-20..2025-11-02
week 43 vs week 44 | 2025-10-20..2025-10-26 + 2025-10-27..2025-11-02
week 40 and week 43 | 2025-09-29..2025-10-05 + 2025-10-20..2025-10-26
since around june | 2025-06..2025-11 | since around june: June 2025 to November 2025
since xqz june |
until xqz august |
since we left in june | 2025-06..2025-11 | since we left in june: June 2025 to November 2025
since grace left in july | 2025-07..2025-11 | since grace left in july: July 2025 to November 2025
after the release in july |
after the release on 4 july | 2025-07-05..2025-11-12 | after the release on 4 july: 5 July to 12 November 2025
before she left in june |
what happened before and during october |
the difference between grace and ada in june | 2025-06
looked after the parser in june |
since release june |
what landed after that in june |
since june in web | 2025-06..2025-11
since the release on monday | 2025-11-10..2025-11-12 | since the release on monday: 10 to 12 November 2025
until the meeting on friday | 2025-01-01..2025-11-07 | until the meeting on friday: 1 January to 7 November 2025
not since my holiday on 4 july |
on 30.2.2025 | | There is no 30 February 2025.
on 31/2/2025 | | There is no 31 February 2025.
on 31/13/2025 | | There is no month 2025-13.
"""


# In a thread about some days: what is asked next.
IN_THREAD = """
2025-01..2025-11 | the year before | 2024-01..2024-12
2025-09 | previous month | 2025-08
2025-09 | next month | 2025-10
2025-09 | and the one before that? | 2025-08
2025-09 | two months earlier | 2025-07
2025-09 | same month last year | 2024-09
2025-07..2025-09 | the quarter before | 2025-04..2025-06
2025-07..2025-09 | a year earlier | 2024-07..2024-09
2025-11-03..2025-11-09 | and the week before that | 2025-10-27..2025-11-02
2025-11-06..2025-11-12 | and the week before | 2025-10-30..2025-11-05
2025-10-27..2025-11-09 | the sprint before | 2025-10-13..2025-10-26
2025-09 | last month | 2025-10
2025-09 | since the start of the month | 2025-11
"""
# Asked on other days: what not every month or year has, and which is the latest.
ON_DAYS = """
2025-12-10 | on the 31st? | 2025-10-31
2025-03-10 | on the 31st? | 2025-01-31
2024-03-10 | on the 29th? | 2024-02-29
2027-12-31 | on february 29th? | 2024-02-29
2025-11-12 | since 8/20 | 2025-08-20..2025-11-12
2025-11-12 | on 2025-31-08 | 2025-08-31
2025-11-12 | on 31.8.? | 2025-08-31
2025-11-12 | in the week of 8/25/2025 | 2025-08-25..2025-08-31
2025-08-05 | from 27 July to 14 August | 2024-07-27..2024-08-14
2026-01-15 | this winter | 2025-12..2026-01
2026-01-15 | last winter | 2024-12..2025-02
2026-01-15 | in december | 2025-12
2026-01-15 | from november to january | 2025-11..2026-01
2026-01-15 | last quarter | 2025-10..2025-12
2026-01-02 | last week | 2025-12-22..2025-12-28
2025-11-08 | over the weekend | 2025-11-08..2025-11-09
2025-11-10 | on monday | 2025-11-03
2024-02-29 | since 12 months | 2023-02-28..2024-02-29
2025-03-10 | on 29 february? | 2024-02-29
2025-11-10 | on 2025-8-31 | 2025-08-31
2025-11-10 | on 2025.08.31 | 2025-08-31
2025-11-10 | on 8/31/25 | 2025-08-31
2025-11-10 | on 31.08.25 | 2025-08-31
2025-11-10 | on 31/8 | 2025-08-31
2025-11-10 | on 3/4 | 2025-04-03
2025-11-10 | on 3-4-2025 | 2025-04-03
2025-11-10 | in 3.10. |
2025-11-10 | for 3/4 of the shards |
2025-11-10 | between 2.4 and 2.5. |
2025-11-10 | between 1.8. and 14.8. | 2025-08-01..2025-08-14
2025-11-10 | from 27/7 to 14/8 | 2025-07-27..2025-08-14
2025-11-10 | from 20.07. to 26.07.2025 | 2025-07-20..2025-07-26
2025-11-10 | 06-08/2025 | 2025-06..2025-08
"""


def found(text: str, today: date = TODAY, about: str = "") -> list[TimeFound]:
    words = split_words(cleaned(text))
    first, _, last = about.partition("..")
    now = Now(today, Days.parse(first, last or first) if about else None, SPRINT)
    return find_times(words, now)


def read(times: list[TimeFound]) -> tuple[str, str]:
    """The days of some times, and what is said of them."""
    days = ", ".join(" + ".join(map(str, one.ends or (one.days,))) for one in times if one.days)
    return days, "; ".join(said for one in times for said in (*one.assumed, one.unclear) if said)


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def test_a_time_is_the_days_that_are_meant() -> None:
    wanted = {text: (days, *(said or [""])) for text, days, *said in rows(READ)}
    assert {text: read(found(text)) for text in wanted} == wanted


def test_what_is_beside_a_time_is_beside_that_of_the_thread() -> None:
    wanted = {(about, text): days for about, text, days in rows(IN_THREAD)}
    assert {(about, text): read(found(text, about=about))[0] for about, text in wanted} == wanted


def test_a_time_without_a_year_is_the_latest_that_is_not_in_the_future() -> None:
    wanted = {(today, text): days for today, text, days in rows(ON_DAYS)}
    assert {(day, text): read(found(text, date.fromisoformat(day)))[0] for day, text in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("what did grace do in the first week of october in web", ["in the first week of october"]),
        ("fixes of last month, and ever since june", ["of last month", "ever since june"]),
        ("since my holiday on 4 July, what shipped", ["since my holiday on 4 July"]),
        ("what is she working on right now in web", ["right now"]),
        ("show the work from june onwards by ada", ["from june onwards"]),
        ("not in may, but in june", ["in june"]),
        ("who fixed the crash before the release", []),
        ("merge it right now", []),
        ("what did May do in May", ["in May"]),
        ("may I see what grace may have done in may", ["in may"]),
        ("did they march on in march", ["in march"]),
    ],
)
def test_the_words_of_a_time_are_all_that_belong_to_it(text: str, taken: list[str]) -> None:
    words = split_words(cleaned(text))
    assert [" ".join(word.raw for word in words[one.first : one.end]) for one in found(text)] == taken


def test_without_a_sprint_that_is_set_a_sprint_is_asked_about() -> None:
    (one,) = find_times(split_words("last sprint"), Now(TODAY))
    assert (one.days, one.unclear) == (None, "I cannot tell when your sprints begin: almanac.toml sets none.")


def test_what_is_more_than_a_time_is_none() -> None:
    assert time_alone("in june", TODAY) == Days.parse("2025-06", "2025-06")
    assert time_alone("grace in june", TODAY) is None
    assert time_alone("june and when", TODAY) is None
    with pytest.raises(ValueError, match="June 2026 has not begun yet"):
        time_alone("june 2026", TODAY)
