<?php
require 'verify.php';
$cases = json_decode(file_get_contents('cases.json'), true);
echo json_encode(array_map(fn ($c) => verify($c['secret'], $c['headers'], $c['body'], $c['now']), $cases));
