"""nestor-bench: measures Nestor against its peers on the same programs.

The flow: programs (programs.py) are built by competitors (competitors.py,
with the tools of tools.py), run by nestor-bench-runner in processes of their
own (execute.py), in rounds (session.py); what was measured is kept in one
file (results.py), from which tables (table.py), plots (plots.py) and
comparisons (compare.py) are made.
"""
