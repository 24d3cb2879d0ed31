// node --import THIS_FILE app: the app takes the test server that the environment describes for WhatsApp.
// It is the only way in: the product itself has no switch for it, and this file is no part of the product.
import { trust } from './trust.ts'

const {
  WHATSAPP_ROOT_KEY = '',
  WHATSAPP_MEDIA_HOST: host,
  WHATSAPP_MEDIA_CERTIFICATE: certificate,
} = process.env
const rootPublicKey = Buffer.from(WHATSAPP_ROOT_KEY, 'hex')
if (rootPublicKey.length !== 32)
  throw new Error('WHATSAPP_ROOT_KEY must hold the 32 bytes of the root key in hex')
trust({ rootPublicKey, media: host && certificate ? { host, certificate } : undefined })
