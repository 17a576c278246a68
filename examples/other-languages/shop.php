<?php
// Creates a payment, sends the payer to it, and learns what became of it. Needs nothing but php-cli.
declare(strict_types=1);

$gateway = getenv('GOPAY_ENVIRONMENT') ?: 'http://127.0.0.1:4646';
$goid = (int) (getenv('GOPAY_GOID') ?: '8123456781');
$clientId = getenv('GOPAY_CLIENT_ID') ?: '1234567884';
$clientSecret = getenv('GOPAY_CLIENT_SECRET') ?: 'L0calGtw';

$call = function (string $method, string $path, array $headers, string $body = '') use ($gateway): array {
    $response = file_get_contents($gateway . $path, false, stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Accept: application/json', ...$headers],
        'content' => $body,
        'timeout' => 30,
    ]]));
    return json_decode($response, true, 512, JSON_THROW_ON_ERROR);
};

$token = $call(
    'POST',
    '/api/oauth2/token',
    ['Authorization: Basic ' . base64_encode("$clientId:$clientSecret"), 'Content-Type: application/x-www-form-urlencoded'],
    http_build_query(['grant_type' => 'client_credentials', 'scope' => 'payment-all'])
)['access_token'];
$bearer = "Authorization: Bearer $token";

$payment = $call('POST', '/api/payments/payment', [$bearer, 'Content-Type: application/json'], json_encode([
    'target' => ['type' => 'ACCOUNT', 'goid' => $goid],
    'amount' => 13900, // haléře
    'currency' => 'CZK',
    'order_number' => '2026-0001',
    'callback' => [
        'return_url' => 'http://localhost:8000/return',
        'notification_url' => getenv('NOTIFICATION_URL') ?: 'http://localhost:8000/notify',
    ],
], JSON_UNESCAPED_UNICODE));
echo "send the payer to {$payment['gw_url']}\n";

// In development, the payer is a request to the control API, or you on the pay page.
$call('POST', "/local-gateway/payments/{$payment['id']}/pay-by-card", ['Content-Type: application/json'], '{}');

echo "payment {$payment['id']} is {$call('GET', "/api/payments/payment/{$payment['id']}", [$bearer])['state']}\n";
