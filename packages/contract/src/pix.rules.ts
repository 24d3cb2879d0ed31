import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils/get-pix-key-info'

/** The payee: a key of the DICT, the name and the city that banks show. */
export interface PixPayee {
  key: string
  name: string
  city: string
}

/** A CPF, CNPJ, e-mail, mobile number or random key. */
export const isPixKey = (key: string): boolean => getPixKeyInfo(key) !== null

/**
 * Payload for banking apps: a static BR Code (BCB, Manual de Padrões para Iniciação do Pix) with the amount in cents
 * and a reference in the bank statement, up to 25 letters and digits. A payment is not reported, and may happen twice.
 */
export function pixPayload(payee: PixPayee, cents: number, txid: string): string {
  const { key, name, city } = payee
  return generatePixPayload({ key, merchantName: name, merchantCity: city, amount: cents / 100, txid }) ?? ''
}
