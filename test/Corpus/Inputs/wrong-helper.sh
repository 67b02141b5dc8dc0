#!/bin/sh
# Stands in for nestor-measure: finds the result of the first candidate wrong.
report() {
  printf '{"report":"%s","candidate":0,"status":"%s","logRatio":0,"spread":0,' "$1" "$2"
  printf '"baseSeconds":1,"pairs":1,"baseHash":"b","candidateHash":"c",'
  printf '"detail":"argument 0","isAnchor":false,"mustRestart":false}\n'
}
report ready ok
read -r job
report base ok
report candidate wrong
report done ok
read -r job
