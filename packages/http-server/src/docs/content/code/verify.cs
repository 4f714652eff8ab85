using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class Webhook
{
    // `body` is the raw bytes of the request; `headers` has lower-case names.
    public static bool Verify(string secret, IReadOnlyDictionary<string, string> headers, byte[] body, DateTimeOffset now)
    {
        string Header(string name) => headers.TryGetValue(name, out var value) ? value : "";
        var timestamp = Header("x-webhook-timestamp");
        if (!long.TryParse(timestamp, out var seconds) || Math.Abs(now.ToUnixTimeSeconds() - seconds) > 300) return false;
        using var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        var hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(timestamp + ".").Concat(body).ToArray());
        var expected = Encoding.ASCII.GetBytes("sha256=" + Convert.ToHexString(hash).ToLowerInvariant());
        return new[] { "x-webhook-signature", "x-webhook-signature-previous" }
            .Any(name => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(Header(name))));
    }
}
