#!/bin/sh
# Writes the seed corpora from the conformance vectors: a few small documents of each rule, JSON and text apart.
# Run it after adding vectors: `sh fuzz/seeds.sh`.
set -eu
cd "$(dirname "$0")"
# The seeds of archives, discovery and signatures are written by hand.
rm -rf seeds/json seeds/text seeds/yaml
mkdir -p seeds/json seeds/text seeds/yaml
for rule in ../conformance/*/*/; do
    name=$(basename "$(dirname "$rule")")-$(basename "$rule")
    find "$rule" -name '*.in' -size -3k | LC_ALL=C sort | awk 'NR % 4 == 1' | head -n 2 | while read -r vector; do
        # JSON begins with a brace or bracket, after any blanks.
        case $(tr -d ' \t\r\n\357\273\277' < "$vector" | head -c 1) in
            '{' | '[') kind=json ;;
            *) kind=text ;;
        esac
        cp "$vector" "seeds/$kind/$name-$(basename "$vector" .in)"
    done
done
# The front matter of agents.md is YAML.
find ../conformance/agents-md -name '*.in' -size -3k | LC_ALL=C sort | while read -r vector; do
    yaml=$(awk 'NR == 1 && !/^---/ { exit } NR > 1 && /^---/ { exit } NR > 1' "$vector" | tr -d '\000')
    [ -z "$yaml" ] || printf '%s\n' "$yaml" > "seeds/yaml/$(basename "$(dirname "$vector")")-$(basename "$vector" .in)"
done
# All JSON tokens, which the vectors of documents lack.
printf '[null,true,false,0,-1.5e+30,"\\u00e9\\ud83d\\ude00\\"\\\\\\/\\b\\f\\n\\r\\t",{},[],{"a":{"a":[1e400]}}]' > seeds/json/tokens
echo "$(find seeds -type f | wc -l) seeds, $(cat seeds/*/* | wc -c) bytes"
