/** A first call in several languages. Pure. */

interface Given {
  /** Where the server is, without a slash at its end. */
  readonly server: string
  /** The key, or what stands in its place. */
  readonly key: string
}

/** A language, and the call in it. */
export interface Sample {
  readonly name: string
  readonly code: string
}

/** The call that makes an invoice. */
export const samplesOf = ({ server, key }: Given): ReadonlyArray<Sample> => [
  {
    name: "curl",
    code: `export TOLEM_KEY='${key}'
curl ${server}/api/v1/invoices \\
  -H "X-API-Key: $TOLEM_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-1001" \\
  -d '{"amount": 1500, "description": "Order 1001"}'`
  },
  {
    name: "JavaScript",
    code: `const key = process.env.TOLEM_KEY ?? "${key}"
const answer = await fetch("${server}/api/v1/invoices", {
  method: "POST",
  headers: { "X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": "order-1001" },
  body: JSON.stringify({ amount: 1500, description: "Order 1001" })
})
const invoice = await answer.json()
console.log(answer.status, invoice.payUrl ?? invoice)`
  },
  {
    name: "Python",
    code: `import json, os, urllib.request

request = urllib.request.Request(
    "${server}/api/v1/invoices",
    data=json.dumps({"amount": 1500, "description": "Order 1001"}).encode(),
    headers={
        "X-API-Key": os.environ.get("TOLEM_KEY", "${key}"),
        "Content-Type": "application/json",
        "Idempotency-Key": "order-1001",
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer)["payUrl"])`
  },
  {
    name: "PHP",
    code: `<?php
$answer = file_get_contents('${server}/api/v1/invoices', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'X-API-Key: ' . (getenv('TOLEM_KEY') ?: '${key}'),
        'Content-Type: application/json',
        'Idempotency-Key: order-1001',
    ],
    'content' => json_encode(['amount' => 1500, 'description' => 'Order 1001']),
    'ignore_errors' => true,
]]));
echo json_decode($answer)->payUrl ?? $answer, "\\n";`
  }
]
