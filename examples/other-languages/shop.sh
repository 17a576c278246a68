#!/bin/sh
# Creates a payment, sends the payer to it, and learns what became of it. Needs nothing but curl.
set -eu
gateway=${GOPAY_ENVIRONMENT:-http://127.0.0.1:4646}
goid=${GOPAY_GOID:-8123456781}
client=${GOPAY_CLIENT_ID:-1234567884}:${GOPAY_CLIENT_SECRET:-L0calGtw}
notify=${NOTIFICATION_URL:-http://localhost:8000/notify}

member() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",]*\).*/\1/p"; }

token=$(curl -fsS -u "$client" -d grant_type=client_credentials -d scope=payment-all "$gateway/api/oauth2/token" | member access_token)

payment=$(curl -fsS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$gateway/api/payments/payment" -d '{
  "target": { "type": "ACCOUNT", "goid": '"$goid"' },
  "amount": 13900, "currency": "CZK", "order_number": "2026-0001",
  "callback": { "return_url": "http://localhost:8000/return", "notification_url": "'"$notify"'" }
}')
id=$(echo "$payment" | sed 's/^{"id":\([0-9]*\).*/\1/')
echo "send the payer to $(echo "$payment" | member gw_url)"

# In development, the payer is a request to the control API, or you on the pay page.
curl -fsS -o /dev/null -H 'Content-Type: application/json' -d '{}' "$gateway/local-gateway/payments/$id/pay-by-card"

echo "payment $id is $(curl -fsS -H "Authorization: Bearer $token" "$gateway/api/payments/payment/$id" | member state)"
