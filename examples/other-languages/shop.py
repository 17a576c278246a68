"""Creates a payment, sends the payer to it, and learns what became of it. Needs nothing but Python 3."""
import base64, json, os, urllib.parse, urllib.request

gateway = os.environ.get("GOPAY_ENVIRONMENT", "http://127.0.0.1:4646")
goid = int(os.environ.get("GOPAY_GOID", "8123456781"))
client_id = os.environ.get("GOPAY_CLIENT_ID", "1234567884")
client_secret = os.environ.get("GOPAY_CLIENT_SECRET", "L0calGtw")


def call(method, path, headers, body=None):
    request = urllib.request.Request(gateway + path, body, {"Accept": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


credentials = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
token = call(
    "POST",
    "/api/oauth2/token",
    {"Authorization": f"Basic {credentials}", "Content-Type": "application/x-www-form-urlencoded"},
    urllib.parse.urlencode({"grant_type": "client_credentials", "scope": "payment-all"}).encode(),
)["access_token"]
bearer = {"Authorization": f"Bearer {token}"}

payment = call(
    "POST",
    "/api/payments/payment",
    {**bearer, "Content-Type": "application/json"},
    json.dumps({
        "target": {"type": "ACCOUNT", "goid": goid},
        "amount": 13900,  # haléře
        "currency": "CZK",
        "order_number": "2026-0001",
        "callback": {
            "return_url": "http://localhost:8000/return",
            "notification_url": os.environ.get("NOTIFICATION_URL", "http://localhost:8000/notify"),
        },
    }, ensure_ascii=False).encode(),
)
print("send the payer to", payment["gw_url"])

# In development, the payer is a request to the control API, or you on the pay page.
call("POST", f"/local-gateway/payments/{payment['id']}/pay-by-card", {"Content-Type": "application/json"}, b"{}")

print("payment", payment["id"], "is", call("GET", f"/api/payments/payment/{payment['id']}", bearer)["state"])
