package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// Verify takes the raw body of the request, before anything has parsed it.
func Verify(secret string, headers http.Header, body []byte, now time.Time) bool {
	timestamp := headers.Get("X-Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := now.Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	return hmac.Equal(expected, []byte(headers.Get("X-Webhook-Signature"))) ||
		hmac.Equal(expected, []byte(headers.Get("X-Webhook-Signature-Previous")))
}
