using System.Text;
using System.Text.Json;
var cases = JsonDocument.Parse(File.ReadAllText("cases.json")).RootElement.EnumerateArray();
Console.WriteLine(JsonSerializer.Serialize(cases.Select(c => Webhook.Verify(
    c.GetProperty("secret").GetString()!,
    c.GetProperty("headers").EnumerateObject().ToDictionary(h => h.Name, h => h.Value.GetString()!),
    Encoding.UTF8.GetBytes(c.GetProperty("body").GetString()!),
    DateTimeOffset.FromUnixTimeSeconds(c.GetProperty("now").GetInt64())))));
