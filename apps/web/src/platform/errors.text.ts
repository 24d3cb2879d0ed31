import type { ErrorCode } from '@balcao/contract/errors.ts'
import { ApiError } from './call.ts'
import { accountErrors } from './errors.accounts.text.ts'
import { automationErrors } from './errors.automation.text.ts'
import { businessErrors } from './errors.business.text.ts'
import { ticketErrors } from './errors.tickets.text.ts'
import { whatsappErrors } from './errors.whatsapp.text.ts'
import { texts } from './text.ts'

type Texts = readonly [pt: string, en: string, es: string]

const codes: Record<ErrorCode, Texts> = {
  ...accountErrors,
  ...automationErrors,
  ...businessErrors,
  ...ticketErrors,
  ...whatsappErrors,
  ERR_BAD_REQUEST: ['Confira os dados informados', 'Check what you entered', 'Revise los datos informados'],
  ERR_FILE_TOO_LARGE: ['É grande demais para enviar', 'Too large to send', 'Es demasiado grande para enviar'],
  ERR_FILE_TYPE: [
    'Este tipo de arquivo não é aceito',
    'This kind of file is not accepted',
    'Este tipo de archivo no se acepta',
  ],
  ERR_NOT_FOUND: [
    'Nada foi encontrado neste endereço',
    'Nothing was found at this address',
    'No se encontró nada en esta dirección',
  ],
  ERR_NO_SETTING_FOUND: [
    'Nenhuma configuração encontrada com este ID',
    'No setting found with this id',
    'Ninguna configuración encontrada con este ID',
  ],
  ERR_NO_WAPP_FOUND: [
    'Nenhuma conexão encontrada com este ID',
    'No connection found with this id',
    'Ninguna conexión encontrada con este ID',
  ],
  ERR_CHANGED_MEANWHILE: [
    'Outra pessoa mudou isto enquanto você editava',
    'Somebody else changed this while you were editing',
    'Otra persona cambió esto mientras usted editaba',
  ],
  ERR_NAME_EXISTS: [
    'Já existe um registro com este nome',
    'A record with this name already exists',
    'Ya existe un registro con este nombre',
  ],
  ERR_NO_DEF_WAPP_FOUND: [
    'Nenhuma conexão padrão encontrada',
    'No default connection found',
    'Ninguna conexión predeterminada encontrada',
  ],
  ERR_NO_CNPJ_FOUND: ['Este CNPJ não foi encontrado', 'This CNPJ was not found', 'No se encontró este CNPJ'],
  ERR_NO_CNPJ_SERVICE: [
    'A busca de CNPJ não está configurada nesta instalação (CNPJ_URL)',
    'The CNPJ search is not set up in this installation (CNPJ_URL)',
    'La búsqueda de CNPJ no está configurada en esta instalación (CNPJ_URL)',
  ],
  ERR_CNPJ_SEARCH: [
    'A busca de CNPJ não respondeu. Preencha os dados',
    'The CNPJ search did not answer. Fill in the fields',
    'La búsqueda de CNPJ no respondió. Complete los datos',
  ],
  ERR_NO_POSTAL_CODE_FOUND: [
    'Este CEP não foi encontrado',
    'This postal code was not found',
    'No se encontró este código postal',
  ],
  ERR_NO_POSTAL_CODE_SERVICE: [
    'A busca de CEP não está configurada nesta instalação (CEP_URL)',
    'The postal code search is not set up in this installation (CEP_URL)',
    'La búsqueda de códigos postales no está configurada en esta instalación (CEP_URL)',
  ],
  ERR_POSTAL_CODE_SEARCH: [
    'A busca de CEP não respondeu. Preencha o endereço',
    'The postal code search did not answer. Fill in the address',
    'La búsqueda de códigos postales no respondió. Complete la dirección',
  ],
  ERR_NO_MAPS_KEY: [
    'A busca de endereços precisa da MAPS_KEY nesta instalação',
    'The address search needs MAPS_KEY in this installation',
    'La búsqueda de direcciones necesita MAPS_KEY en esta instalación',
  ],
  ERR_NO_OTHER_WHATSAPP: [
    'Deve haver pelo menos uma conexão padrão',
    'There must be at least one default connection',
    'Debe haber al menos una conexión predeterminada',
  ],
  ERR_NO_LIMIT_USER: [
    'O limite de usuários do plano foi atingido',
    'The plan’s user limit was reached',
    'Se alcanzó el límite de usuarios del plan',
  ],
  ERR_NO_LIMIT_STORAGE: [
    'O espaço para arquivos do plano acabou: exclua conversas com arquivos ou peça um plano maior',
    'The plan’s room for files is used up: delete conversations with files, or ask for a larger plan',
    'Se acabó el espacio para archivos del plan: elimine conversaciones con archivos o pida un plan mayor',
  ],
  ERR_DISK_FULL: [
    'O disco do servidor está cheio: o arquivo não foi guardado. Avise quem cuida da instalação',
    'The server’s disk is full: the file was not kept. Tell whoever runs the installation',
    'El disco del servidor está lleno: el archivo no se guardó. Avise a quien cuida la instalación',
  ],
  ERR_NO_LIMIT_WHATSAPP: [
    'O limite de conexões do plano foi atingido',
    'The plan’s connection limit was reached',
    'Se alcanzó el límite de conexiones del plan',
  ],
  ERR_MAPS_SEARCH: [
    'O mapa não respondeu à busca. Escreva as coordenadas ou tente de novo',
    'The map did not answer the search. Write the coordinates or try again',
    'El mapa no respondió a la búsqueda. Escriba las coordenadas o intente de nuevo',
  ],
  ERR_PAIRING_NOT_WAITING: [
    'Esta conexão não está esperando um código',
    'This connection is not waiting for a code',
    'Esta conexión no está esperando un código',
  ],
  ERR_TOO_MANY_REQUESTS: [
    'Muitas tentativas. Aguarde um minuto',
    'Too many tries. Wait a minute',
    'Demasiados intentos. Espere un minuto',
  ],
  ERR_DATABASE_UNAVAILABLE: [
    'O sistema está fora do ar por um momento. Tente de novo',
    'The system is away for a moment. Try again',
    'El sistema está fuera por un momento. Intente de nuevo',
  ],
  ERR_TOO_SLOW: [
    'Isto demorou demais e foi interrompido. Tente de novo com menos, por exemplo um período menor',
    'This took too long and was stopped. Try again with less, such as a shorter period',
    'Esto tardó demasiado y se interrumpió. Intente de nuevo con menos, por ejemplo un período más corto',
  ],
  ERR_INTERNAL: [
    'Algo de errado, verifique com o administrador do sistema',
    'Something went wrong, check with the system administrator',
    'Algo salió mal, consulte al administrador del sistema',
  ],
}

const t = texts({
  ...codes,
  offline: ['Sem conexão com o servidor', 'No connection to the server', 'Sin conexión con el servidor'],
  unknown: ['An error occurred!', 'An error occurred!', 'An error occurred!'],
})

/** The documents' rule: the code's translation (some answers carry it as their message), else the server's own text, else one sentence that always fits. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t.read('unknown')
  const { message } = error
  if (error.code === 'ERR_BAD_REQUEST' && message && !isCode(message)) return message
  const code = [isCode(message) && message, error.code].find(one => one && one in codes)
  if (code) return t.read(code as ErrorCode)
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
  if (reason in codes) return t.read(reason as ErrorCode)
  return reason && !isCode(reason) ? reason : t.read('ERR_SENDING_WAPP_MSG')
}
