// node --import THIS_FILE app: the app's Baileys trusts the test server whose key WHATSAPP_ROOT_KEY holds (hex).
// It is the only way in: the product itself has no switch for it, and this file is no part of the product.
import { WA_CERT_DETAILS } from 'baileys'

const key = Buffer.from(process.env.WHATSAPP_ROOT_KEY ?? '', 'hex')
if (key.length !== 32) throw new Error('WHATSAPP_ROOT_KEY must hold the 32 bytes of the root key in hex')
WA_CERT_DETAILS.PUBLIC_KEY = key
