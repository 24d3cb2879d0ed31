import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils/get-pix-key-info'

/** Who is paid: a key of the DICT, the name and the city that banks show. */
export interface PixPayee {
  key: string
  name: string
  city: string
}

/** A CPF, CNPJ, e-mail, mobile number or random key. */
export const isPixKey = (key: string): boolean => getPixKeyInfo(key) !== null

/**
 * What a bank's app is told: a static BR Code (BCB, Manual de Padrões para Iniciação do Pix) with the amount in cents and
 * a number by which the payment is found in the statement, up to 25 letters and digits. Nobody is told that it was paid,
 * and it may be paid twice.
 */
export function pixPayload(payee: PixPayee, cents: number, txid: string): string {
  const { key, name, city } = payee
  return generatePixPayload({ key, merchantName: name, merchantCity: city, amount: cents / 100, txid }) ?? ''
}
