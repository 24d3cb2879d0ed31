import type { Wire } from './socket.ts'

/**
 * What to show while a phone is to be linked: the QR code, or a code to type for a number. Null when the code on show
 * stays good; when WhatsApp gives none the socket ends, to be opened again later.
 */
export async function offerOf(
  { sock, auth }: Pick<Wire, 'sock' | 'auth'>,
  qrcode: string,
  pairNumber: string,
): Promise<{ qrcode: string; pairingCode: string } | null> {
  if (!pairNumber) return { qrcode, pairingCode: '' }
  // Baileys goes on offering QR codes after a code to type was asked for.
  if (auth.creds.pairingCode) return null
  try {
    return { qrcode: '', pairingCode: await sock.requestPairingCode(pairNumber) }
  } catch (error) {
    void sock.end(error as Error)
    return null
  }
}
