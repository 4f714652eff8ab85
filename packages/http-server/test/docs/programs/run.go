package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	var cases []struct {
		Secret, Body string
		Headers      map[string]string
		Now          int64
	}
	text, _ := os.ReadFile("cases.json")
	json.Unmarshal(text, &cases)
	answers := []bool{}
	for _, c := range cases {
		headers := http.Header{}
		for name, value := range c.Headers {
			headers.Set(name, value)
		}
		answers = append(answers, Verify(c.Secret, headers, []byte(c.Body), time.Unix(c.Now, 0)))
	}
	out, _ := json.Marshal(answers)
	fmt.Println(string(out))
}
