#!/bin/sh
# One turn between two players who only ever send each other the record, never what is secret.
#   sh turn.sh FOLDER        plays it into FOLDER/alice and FOLDER/bob
# Everything either player does is a command; `sync` takes in what the other one has sent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
referee=${REFEREE:-referee}
mkdir -p "$1/alice" "$1/bob"
alice=$1/alice/duel.jsonl
bob=$1/bob/duel.jsonl

say() { printf '\n# %s\n' "$*"; }

say "Alice begins the game and takes her seat; Bob gets a copy and takes his"
$referee game new "$alice" --players alice,bob --dice peer --title "The duel" \
  --ship "Constellation=cadet/federation-ca:alice@2801E/16" \
  --ship "Destruction=cadet/klingon-d6:bob@0216B/16"
$referee game join "$alice" --as alice
cp "$alice" "$bob"
$referee game join "$bob" --as bob
$referee record sync "$alice" "$bob"

say "Both seal their energy forms: the record holds digests, the forms stay at home"
$referee seal --game "$alice" "$here/constellation.csv" --as alice
$referee record sync "$bob" "$alice"
$referee seal --game "$bob" "$here/destruction.csv" --as bob
$referee record sync "$alice" "$bob"
$referee game status "$alice"

say "Impulse 9: both write secretly where they move, then show it"
$referee game next "$alice" --to 1.9.move-ships
$referee seal --game "$alice" --ship Constellation --kind moves --impulse 9 --order "left" --as alice
$referee record sync "$bob" "$alice"
$referee seal --game "$bob" --ship Destruction --kind moves --impulse 9 --order "ahead" --as bob
$referee reveal --game "$bob" --ship Destruction --kind moves --impulse 9
$referee record sync "$alice" "$bob"
$referee reveal --game "$alice" --ship Constellation --kind moves --impulse 9
$referee record sync "$bob" "$alice"

say "Impulse 14: 21 points strike the Destruction; nobody can choose or foresee the dice"
$referee game next "$alice" --to 1.14.resolve-fire
$referee volley Destruction --game "$alice" --as alice --damage 21 --shield 1
$referee record sync "$bob" "$alice"
$referee dice key "$bob" --as bob
$referee record sync "$alice" "$bob"
$referee dice key "$alice" --as alice

say "End of the turn: both show their forms, which are judged at once"
$referee game next "$alice" --to 1.end-of-turn
$referee reveal --game "$alice" --ship Constellation
$referee record sync "$bob" "$alice"
$referee reveal --game "$bob" --ship Destruction
$referee record sync "$alice" "$bob"

say "Either of them, or anybody else, can check everything"
$referee record verify "$alice"
$referee dice verify "$bob"
$referee game replay "$alice"
$referee game status "$bob"
