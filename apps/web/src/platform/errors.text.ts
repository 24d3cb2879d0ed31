import { ApiError, onRefused } from './call.ts'
import { codeText, loadCodeTexts } from './errors.codes.text.ts'
import { texts } from './text.ts'

onRefused(loadCodeTexts)

const t = texts({
  offline: ['Sem conexão com o servidor', 'No connection to the server', 'Sin conexión con el servidor'],
  unknown: ['An error occurred!', 'An error occurred!', 'An error occurred!'],
})

/** The documents' rule: the code's translation (some answers carry it as their message), else the server's own text, else one sentence that always fits. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t.read('unknown')
  const { message } = error
  if (error.code === 'ERR_BAD_REQUEST' && message && !isCode(message)) return message
  const text = codeText(message) ?? codeText(error.code)
  if (text) return text
  // an unknown code is of no use to people
  if (isCode(message)) return t.read('unknown')
  return error.code === 'offline' ? t.read('offline') : message || t.read('unknown')
}

/** Why something could not be had, where the user may not have it; else the words given. */
export const whyNot = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.status === 403 ? errorText(error) : otherwise

const isCode = (code: string) => /^ERR_[A-Z_]+$/.test(code)

/** Why a message was not delivered: a code of the catalogue, or WhatsApp's own text. */
export function reasonText(reason: string): string {
  const text = codeText(reason)
  if (text) return text
  return reason && !isCode(reason) ? reason : codeText('ERR_SENDING_WAPP_MSG')!
}
