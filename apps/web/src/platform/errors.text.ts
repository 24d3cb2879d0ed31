import type { ErrorCode } from '@balcao/contract/errors.ts'
import { ApiError } from './call.ts'
import { automationErrors } from './errors.automation.text.ts'
import { businessErrors } from './errors.business.text.ts'
import { whatsappErrors } from './errors.whatsapp.text.ts'
import { texts } from './text.ts'

type Texts = readonly [pt: string, en: string, es: string]

const codes: Record<ErrorCode, Texts> = {
  ...automationErrors,
  ...businessErrors,
  ...whatsappErrors,
  ERR_BAD_REQUEST: ['Confira os dados informados', 'Check what you entered', 'Revise los datos informados'],
  ERR_CREATING_MESSAGE: [
    'A mensagem não pôde ser criada',
    'The message could not be created',
    'No se pudo crear el mensaje',
  ],
  ERR_CREATING_TICKET: [
    'O atendimento não pôde ser criado: esta conexão não alcança o contato',
    'The ticket could not be created: this connection does not reach the contact',
    'No se pudo crear la atención: esta conexión no alcanza al contacto',
  ],
  ERR_DELETE_WAPP_MSG: [
    'A mensagem não pôde ser apagada',
    'The message could not be deleted',
    'No se pudo borrar el mensaje',
  ],
  ERR_EDIT_WAPP_MSG: [
    'Um texto só pode ser editado até 15 minutos depois de enviado',
    'A text can be edited for 15 minutes after it was sent',
    'Un texto solo se puede editar hasta 15 minutos después de enviado',
  ],
  ERR_FILE_TOO_LARGE: ['É grande demais para enviar', 'Too large to send', 'Es demasiado grande para enviar'],
  ERR_FILE_TYPE: [
    'Este tipo de arquivo não é aceito',
    'This kind of file is not accepted',
    'Este tipo de archivo no se acepta',
  ],
  ERR_INVALID_CREDENTIALS: [
    'E-mail ou senha incorretos',
    'Wrong e-mail or password',
    'Correo o contraseña incorrectos',
  ],
  ERR_INVALID_CREDENTIALS_EMAIL: ['E-mail incorreto', 'Wrong e-mail', 'Correo incorrecto'],
  ERR_INVALID_CREDENTIALS_PASSWORD: ['Senha incorreta', 'Wrong password', 'Contraseña incorrecta'],
  ERR_NO_SESSION: ['Entre para continuar', 'Sign in to continue', 'Entre para continuar'],
  ERR_SESSION_EXPIRED: [
    'Sua sessão expirou. Entre de novo',
    'Your session expired. Sign in again',
    'Su sesión expiró. Entre de nuevo',
  ],
  ERR_NO_PERMISSION: [
    'Você não tem permissão para isto',
    'You are not allowed to do this',
    'No tiene permiso para esto',
  ],
  ERR_USER_CREATION_DISABLED: [
    'A criação de usuários foi desabilitada pelo administrador',
    'User creation was disabled by the administrator',
    'La creación de usuarios fue desactivada por el administrador',
  ],
  ERR_LINK_OVER: [
    'Este link não vale mais: peça um novo',
    'This link is no longer valid: ask for a new one',
    'Este enlace ya no es válido: pida uno nuevo',
  ],
  ERR_WRONG_PASSWORD: [
    'Esta não é a sua senha atual',
    'This is not your current password',
    'Esta no es su contraseña actual',
  ],
  ERR_MAIL_REFUSED: [
    'O servidor de e-mail não aceitou a mensagem',
    'The mail server did not take the message',
    'El servidor de correo no aceptó el mensaje',
  ],
  ERR_NO_MAIL: [
    'O envio de e-mails não está configurado: fale com um administrador',
    'Mail is not set up here: ask an administrator',
    'El envío de correos no está configurado: hable con un administrador',
  ],
  ERR_NOT_FOUND: [
    'Nada foi encontrado neste endereço',
    'Nothing was found at this address',
    'No se encontró nada en esta dirección',
  ],
  ERR_FETCH_WAPP_MSG: [
    'Mensagem não encontrada, talvez seja muito antiga',
    'Message not found, it may be too old',
    'Mensaje no encontrado, quizá es muy antiguo',
  ],
  ERR_NO_CONTACT_FOUND: [
    'Nenhum contato encontrado com este ID',
    'No contact found with this id',
    'Ningún contacto encontrado con este ID',
  ],
  ERR_NO_QUEUE_FOUND: [
    'Nenhuma fila encontrada com este ID',
    'No queue found with this id',
    'Ninguna cola encontrada con este ID',
  ],
  ERR_NO_SETTING_FOUND: [
    'Nenhuma configuração encontrada com este ID',
    'No setting found with this id',
    'Ninguna configuración encontrada con este ID',
  ],
  ERR_NO_TICKET_FOUND: [
    'Nenhum atendimento encontrado com este ID',
    'No ticket found with this id',
    'Ninguna atención encontrada con este ID',
  ],
  ERR_NO_USER_FOUND: [
    'Nenhum usuário encontrado com este ID',
    'No user found with this id',
    'Ningún usuario encontrado con este ID',
  ],
  ERR_NO_AUTHORIZATION_FOUND: [
    'Nenhum grupo de permissões encontrado com este ID',
    'No permission group found with this id',
    'Ningún grupo de permisos encontrado con este ID',
  ],
  ERR_NO_WAPP_FOUND: [
    'Nenhuma conexão encontrada com este ID',
    'No connection found with this id',
    'Ninguna conexión encontrada con este ID',
  ],
  ERR_NO_TAG_FOUND: [
    'Nenhuma etiqueta encontrada com este ID',
    'No tag found with this id',
    'Ninguna etiqueta encontrada con este ID',
  ],
  ERR_NUMBER_AMBIGUOUS: [
    'Este número pode ser de dois países: escreva-o com + e o código do país, ou com o DDD entre parênteses',
    'This number could be of two countries: write it with + and the country code, or with the area code in parentheses',
    'Este número puede ser de dos países: escríbalo con + y el código del país, o con el código de área entre paréntesis',
  ],
  ERR_DUPLICATED_CONTACT: [
    'Já existe um contato com este número',
    'A contact with this number already exists',
    'Ya existe un contacto con este número',
  ],
  ERR_NAME_EXISTS: [
    'Já existe um registro com este nome',
    'A record with this name already exists',
    'Ya existe un registro con este nombre',
  ],
  ERR_SHEET_NOT_READY: [
    'Esta planilha não está pronta para isso. Escolha o arquivo de novo',
    'This spreadsheet is not ready for that. Choose the file again',
    'Esta planilla no está lista para eso. Elija el archivo de nuevo',
  ],
  ERR_SHEET_UNDER_WAY: [
    'Uma planilha de contatos já está sendo importada. Espere ela terminar',
    'A spreadsheet of contacts is being imported already. Wait until it is done',
    'Ya se está importando una planilla de contactos. Espere a que termine',
  ],
  ERR_EMAIL_EXISTS: [
    'Já existe um usuário com este e-mail',
    'A user with this e-mail already exists',
    'Ya existe un usuario con este correo',
  ],
  ERR_LAST_ADMIN: [
    'Ninguém mais poderia administrar a empresa: dê esse direito a outra pessoa antes',
    'Nobody else could administer the company: give somebody else that right first',
    'Nadie más podría administrar la empresa: dele antes ese derecho a otra persona',
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
  ERR_OTHER_OPEN_TICKET: [
    'Já existe um atendimento aberto para este contato',
    'There is already an open ticket for this contact',
    'Ya existe una atención abierta para este contacto',
  ],
  ERR_QUEUE_COLOR_ALREADY_EXISTS: [
    'Esta cor já está em uso em outra fila',
    'This colour is already used by another queue',
    'Este color ya está en uso en otra cola',
  ],
  ERR_TICKET_MOVED_ON: [
    'Não dá mais para desfazer: o atendimento já mudou',
    'It cannot be undone any more: the ticket has moved on',
    'Ya no se puede deshacer: la atención cambió',
  ],
  ERR_TICKET_TAKEN: [
    'Outra pessoa já está atendendo',
    'Somebody else is already attending',
    'Otra persona ya está atendiendo',
  ],
  ERR_TICKET_NOT_OPEN: [
    'Este atendimento não está aberto',
    'This ticket is not open',
    'Esta atención no está abierta',
  ],
  ERR_SENDING_WAPP_MSG: [
    'O WhatsApp recusou a mensagem',
    'WhatsApp refused the message',
    'WhatsApp rechazó el mensaje',
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

const isCode = (code: string) => /^ERR_[A-Z_]+$/.test(code)

/** Why a message was not delivered: a code of the catalogue, or WhatsApp's own text. */
export function reasonText(reason: string): string {
  if (reason in codes) return t.read(reason as ErrorCode)
  return reason && !isCode(reason) ? reason : t.read('ERR_SENDING_WAPP_MSG')
}
