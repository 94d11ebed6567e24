interface VerifyingCode {
  id: string;
  name: string;
  code: string;
}

/** Functions that verify a test: the secret comes from WEBHOOK_SECRET, and `body` has the bytes as they arrived. */
export const VERIFYING_CODE: readonly [VerifyingCode, ...VerifyingCode[]] = [
  {
    id: 'javascript',
    name: 'JavaScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

const KEY = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const TOLERANCE_MS = 5 * 60_000;

export function isFromTouchstone(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const given = Buffer.from(headers['x-service-signature'] ?? '', 'hex');
  const expected = createHmac('sha256', KEY).update(timestamp + '.').update(body).digest();
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    Math.abs(Date.now() - Number(timestamp)) <= TOLERANCE_MS
  );
}`,
  },
  {
    id: 'python',
    name: 'Python',
    code: `import base64
import hashlib
import hmac
import os
import time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_MS = 5 * 60_000


def is_from_touchstone(headers, body: bytes) -> bool:
    timestamp = headers.get("x-service-timestamp", "")
    given = headers.get("x-service-signature", "")
    if not (timestamp.isascii() and timestamp.isdigit() and given.isascii()):
        return False
    expected = hmac.new(KEY, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    age = abs(time.time() * 1000 - int(timestamp))
    return hmac.compare_digest(given, expected) and age <= TOLERANCE_MS`,
  },
  {
    id: 'go',
    name: 'Go',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

func IsFromTouchstone(header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		return false
	}
	timestamp := header.Get("x-service-timestamp")
	given, err := hex.DecodeString(header.Get("x-service-signature"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	milliseconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.UnixMilli(milliseconds)).Abs() > tolerance {
		return false
	}
	return hmac.Equal(given, mac.Sum(nil))
}`,
  },
  {
    id: 'java',
    name: 'Java',
    code: `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Webhook {
    private static final byte[] KEY =
        Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").substring("whsec_".length()));
    private static final long TOLERANCE_MS = 5 * 60_000;

    static boolean isFromTouchstone(String timestamp, String signature, byte[] body)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
        byte[] expected = mac.doFinal(body);
        try {
            byte[] given = HexFormat.of().parseHex(signature);
            long age = Math.abs(System.currentTimeMillis() - Long.parseLong(timestamp));
            return MessageDigest.isEqual(given, expected) && age <= TOLERANCE_MS;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}`,
  },
  {
    id: 'ruby',
    name: 'Ruby',
    code: `require "openssl"

KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m0")
TOLERANCE_MS = 5 * 60_000

def from_touchstone?(headers, body)
  timestamp = headers["x-service-timestamp"].to_s
  given = headers["x-service-signature"].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/)

  expected = OpenSSL::HMAC.hexdigest("SHA256", KEY, "#{timestamp}.".b + body.b)
  age = (Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond) - timestamp.to_i).abs
  OpenSSL.secure_compare(given, expected) && age <= TOLERANCE_MS
end`,
  },
];
