import type { ErrorCode } from '@balcao/contract/errors.ts'
import { accountErrors } from './errors.accounts.text.ts'
import { automationErrors } from './errors.automation.text.ts'
import { ticketErrors } from './errors.tickets.text.ts'
import { whatsappErrors } from './errors.whatsapp.text.ts'
import { texts } from './text.ts'

type Texts = readonly [pt: string, en: string, es: string]

type Business = keyof typeof import('./errors.business.text.ts').businessErrors

const codes: Record<Exclude<ErrorCode, Business>, Texts> = {
  ...accountErrors,
  ...automationErrors,
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
  // also stored as the reason of a message, a schedule or a dispatch: shown without a refusal before
  ERR_COMPANY_SUSPENDED: [
    'Atendimento suspenso por falta de pagamento ou em pausa: nada sai até a fatura vencida ser paga, ou a pausa terminar',
    'Service suspended for lack of payment, or paused: nothing leaves until the overdue invoice is paid, or the pause ends',
    'Atención suspendida por falta de pago, o en pausa: nada sale hasta que se pague la factura vencida, o termine la pausa',
  ],
  ERR_VISIT_CLOSED: [
    'Numa visita só se lê, e isto não está aberto a visitas',
    'A visit only reads, and this is not open to visits',
    'En una visita solo se lee, y esto no está abierto a visitas',
  ],
  ERR_NOT_IN_PLAN: [
    'O plano da empresa não inclui este recurso',
    'The company’s plan does not include this',
    'El plan de la empresa no incluye esta función',
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
  ERR_FILE_STORE_UNAVAILABLE: [
    'Os arquivos não estão disponíveis agora. As conversas continuam: tente de novo com o arquivo em alguns minutos.',
    'Files are not available now. Conversations go on: try again with the file in some minutes.',
    'Los archivos no están disponibles ahora. Las conversaciones continúan: intente de nuevo con el archivo en unos minutos.',
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

const first = texts(codes)
let business: ((code: string) => string | null) | undefined

/** The text of an error code in the language of the screen; null of one that is unknown or not loaded. */
export function codeText(code: string): string | null {
  if (code in codes) return first.read(code as keyof typeof codes)
  return business?.(code) ?? null
}

/**
 * Loads the texts of the errors of plans, payments and the platform, unless every code given has its text already. The
 * tickets do not need them, so they are not part of the entry. Offline nothing is loaded: `codeText` answers null.
 */
export async function loadCodeTexts(given: readonly (string | undefined)[]): Promise<void> {
  if (business || !given.some(code => code?.startsWith('ERR_') && !(code in codes))) return
  const loaded = await import('./errors.business.text.ts').catch(() => null)
  if (!loaded) return
  const { businessErrors } = loaded
  const { read } = texts(businessErrors)
  business = code => (code in businessErrors ? read(code as Business) : null)
}
