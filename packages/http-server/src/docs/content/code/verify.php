<?php

// $body is the raw request: file_get_contents('php://input'). $headers has lower-case names.
function verify(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $timestamp = $headers['x-webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    return hash_equals($expected, $headers['x-webhook-signature'] ?? '')
        || hash_equals($expected, $headers['x-webhook-signature-previous'] ?? '');
}
