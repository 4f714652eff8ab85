import json
from verify import verify
cases = json.load(open("cases.json", encoding="utf8"))
print(json.dumps([verify(c["secret"], c["headers"], c["body"].encode(), c["now"]) for c in cases]))
