/** Why a message was not sent over WhatsApp, or a connection is down. */
export const whatsappErrors = {
  ERR_WAPP_NOT_INITIALIZED: [
    'Esta conexão não está iniciada. Verifique em Conexões',
    'This connection is not started. Look at Connections',
    'Esta conexión no está iniciada. Revise en Conexiones',
  ],
  ERR_WAPP_LOGGED_OUT: [
    'O aparelho foi removido no celular',
    'The device was removed on the phone',
    'El dispositivo fue eliminado en el celular',
  ],
  ERR_WAPP_BANNED: [
    'O WhatsApp bloqueou este número',
    'WhatsApp has blocked this number',
    'WhatsApp bloqueó este número',
  ],
  ERR_WAPP_MULTIDEVICE: [
    'É preciso parear este número de novo',
    'This number must be paired again',
    'Hay que emparejar este número de nuevo',
  ],
  ERR_WAPP_REPLACED: [
    'Este número foi aberto em outro lugar',
    'This number was opened elsewhere',
    'Este número se abrió en otro lugar',
  ],
  ERR_WAPP_TEMP_BANNED: [
    'O WhatsApp suspendeu este número',
    'WhatsApp has suspended this number',
    'WhatsApp suspendió este número',
  ],
  ERR_WAPP_LOCKED: [
    'O WhatsApp reteve este número',
    'WhatsApp has locked this number',
    'WhatsApp retuvo este número',
  ],
  ERR_WAPP_OUTDATED: [
    'O WhatsApp exige outra versão',
    'WhatsApp requires another version',
    'WhatsApp exige otra versión',
  ],
  ERR_WAPP_REFUSED: [
    'O WhatsApp recusou este aparelho',
    'WhatsApp refused this device',
    'WhatsApp rechazó este dispositivo',
  ],
  ERR_WAPP_UNAVAILABLE: ['O WhatsApp não responde', 'WhatsApp does not answer', 'WhatsApp no responde'],
  ERR_WAPP_CONNECTION_LOST: ['O WhatsApp não responde', 'WhatsApp does not answer', 'WhatsApp no responde'],
  ERR_WAPP_NOT_RECORDING: [
    'O que chega não pode ser gravado agora. Nada se perde: o sistema tenta de novo sozinho. Avise quem o opera',
    'What arrives cannot be recorded now. Nothing is lost: the system tries again by itself. Tell its operator',
    'Lo que llega no se puede grabar ahora. Nada se pierde: el sistema lo intenta de nuevo solo. Avise a quien lo opera',
  ],
  ERR_WAPP_RESTRICTED: [
    'O WhatsApp não deixa este número iniciar conversas agora. A mensagem sai sozinha',
    'WhatsApp does not let this number begin conversations now. The message leaves by itself',
    'WhatsApp no deja que este número inicie conversaciones ahora. El mensaje sale solo',
  ],
  ERR_WAPP_STRANGER: [
    'O WhatsApp não deixa este número iniciar conversas agora',
    'WhatsApp does not let this number begin conversations now',
    'WhatsApp no deja que este número inicie conversaciones ahora',
  ],
  ERR_WAPP_CHECK_CONTACT: [
    'Não foi possível verificar este número no WhatsApp',
    'This number could not be checked on WhatsApp',
    'No se pudo verificar este número en WhatsApp',
  ],
  ERR_WAPP_DOWNLOAD_MEDIA: [
    'A mídia não pôde ser baixada',
    'The media could not be downloaded',
    'No se pudo descargar el archivo',
  ],
  ERR_WAPP_EDIT: ['Editada no celular', 'Edited on the phone', 'Editado en el teléfono'],
  ERR_WAPP_GREETING_REQUIRED: [
    'A mensagem de saudação é obrigatória quando há mais de uma fila',
    'A greeting message is required when there is more than one queue',
    'El mensaje de saludo es obligatorio cuando hay más de una cola',
  ],
  ERR_WAPP_OTHER_NETWORK: [
    'Esta conexão não alcança quem não mostra o número. Peça o número',
    'This connection does not reach who hides the number. Ask for the number',
    'Esta conexión no llega a quien no muestra el número. Pida el número',
  ],
  ERR_WAPP_INVALID_CONTACT: [
    'Este não é um número de WhatsApp válido',
    'This is not a valid WhatsApp number',
    'Este no es un número de WhatsApp válido',
  ],
  ERR_WAPP_CLOUD_CALL: [
    'A Meta não respondeu ao pedido. Tente de novo em instantes',
    'Meta did not answer. Try again in a moment',
    'Meta no respondió. Intente de nuevo en un momento',
  ],
  ERR_WAPP_CLOUD_TOKEN: [
    'O token de acesso venceu ou não alcança este número. Edite a conexão e informe um novo',
    'The access token expired or does not reach this number. Edit the connection and enter a new one',
    'El token de acceso venció o no alcanza este número. Edite la conexión e ingrese uno nuevo',
  ],
  ERR_WAPP_CLOUD_BLOCKED: [
    'A Meta bloqueou ou restringiu esta conta do WhatsApp. Veja o Gerenciador do WhatsApp',
    'Meta blocked or restricted this WhatsApp account. See WhatsApp Manager',
    'Meta bloqueó o restringió esta cuenta de WhatsApp. Vea el Administrador de WhatsApp',
  ],
  ERR_WAPP_CLOUD_COUNTRY: [
    'A Meta não deixa esta conta escrever para números deste país',
    'Meta does not let this account write to numbers of this country',
    'Meta no permite que esta cuenta escriba a números de este país',
  ],
  ERR_WAPP_SIGN_UP: [
    'A Meta não aceitou o cadastro. Comece de novo',
    'Meta did not accept the sign-up. Begin again',
    'Meta no aceptó el registro. Empiece de nuevo',
  ],
  ERR_WAPP_CLOUD_PIN: [
    'O PIN deste número é outro. Comece de novo',
    'This number has another PIN. Begin again',
    'El PIN de este número es otro. Empiece de nuevo',
  ],
  ERR_WAPP_HISTORY_DECLINED: [
    'O celular não compartilha o histórico',
    'The phone does not share the history',
    'El teléfono no comparte el historial',
  ],
  ERR_WAPP_CLOUD_DENIED: [
    'O token de acesso não tem permissão para isto. Veja as permissões do app na Meta',
    'The access token has no permission for this. Check the app’s permissions at Meta',
    'El token de acceso no tiene permiso para esto. Vea los permisos de la app en Meta',
  ],
  ERR_WAPP_CLOUD_PAYMENT: [
    'Há um problema com o pagamento desta conta na Meta',
    'There is a problem with this account’s payment at Meta',
    'Hay un problema con el pago de esta cuenta en Meta',
  ],
  ERR_WAPP_WINDOW_CLOSED: [
    'O cliente não escreve há mais de 24 horas: envie um modelo aprovado',
    'The customer has been silent for more than 24 hours: send an approved template',
    'El cliente no escribe hace más de 24 horas: envíe una plantilla aprobada',
  ],
  ERR_WAPP_MARKETING_LIMIT: [
    'Esta pessoa já recebeu das empresas o marketing que o WhatsApp lhe entrega por ora. Tente depois de um dia ou mais',
    'This person already got the marketing that WhatsApp delivers to them for now. Try after a day or more',
    'Esta persona ya recibió de las empresas el marketing que WhatsApp le entrega por ahora. Intente tras un día o más',
  ],
  ERR_WAPP_NOT_DELIVERED: [
    'Este número está num experimento da Meta e não recebe marketing. Ele recebe quando escreve para você',
    'This number is in an experiment of Meta’s and gets no marketing. It gets messages once it writes to you',
    'Este número está en un experimento de Meta y no recibe marketing. Lo recibe cuando le escribe',
  ],
  ERR_WAPP_TEMPLATE: [
    'O modelo foi pausado, mudou ou não combina com as variáveis. Escolha de novo',
    'The template was paused, has changed or does not match its variables. Choose again',
    'La plantilla fue pausada, cambió o no coincide con sus variables. Elija de nuevo',
  ],
  ERR_WAPP_TOO_LONG: [
    'O texto é longo demais para esta conexão. Divida em mais mensagens',
    'The text is too long for this connection. Split it',
    'El texto es demasiado largo para esta conexión. Divídalo',
  ],
  ERR_WAPP_TOO_MANY: [
    'O WhatsApp pediu para enviar mais devagar. Tente de novo em instantes',
    'WhatsApp asked to send more slowly. Try again in a moment',
    'WhatsApp pidió enviar más despacio. Intente de nuevo en un momento',
  ],
  ERR_WAPP_UNKNOWN_OUTCOME: [
    'Não se sabe se esta mensagem chegou: a resposta se perdeu. Confira com o cliente antes de reenviar',
    'It is not known whether this message arrived: the answer was lost. Ask before you send it again',
    'No se sabe si este mensaje llegó: la respuesta se perdió. Confirme antes de reenviar',
  ],
  ERR_WAPP_UNSUPPORTED: [
    'Esta conexão não permite isto',
    'This connection cannot do this',
    'Esta conexión no permite esto',
  ],
  ERR_TOO_LATE: [
    'Passou de 24 horas da hora em que devia sair. Reenvie se ainda fizer sentido',
    'More than 24 hours have passed since it was to leave. Send it again if it still makes sense',
    'Pasaron más de 24 horas de la hora en que debía salir. Reenvíelo si todavía tiene sentido',
  ],
  ERR_FILES_UNAVAILABLE: [
    'O arquivo não pode ser lido agora. A mensagem sai sozinha assim que for possível',
    'The file cannot be read at the moment. The message leaves by itself as soon as it can',
    'El archivo no se puede leer ahora. El mensaje sale solo en cuanto sea posible',
  ],
  ERR_WAPP_UNREACHABLE: [
    'O WhatsApp não responde agora. A mensagem sai sozinha assim que for possível',
    'WhatsApp does not answer at the moment. The message leaves by itself as soon as it can',
    'WhatsApp no responde ahora. El mensaje sale solo en cuanto sea posible',
  ],
  ERR_FILE_GONE: [
    'O arquivo não existe mais. Anexe de novo',
    'The file is not there any more. Attach it again',
    'El archivo ya no existe. Adjúntelo de nuevo',
  ],
} as const
