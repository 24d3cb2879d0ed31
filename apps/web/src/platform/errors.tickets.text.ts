/** Errors of tickets, their messages and contacts. */
export const ticketErrors = {
  ERR_CREATING_MESSAGE: [
    'A mensagem não pôde ser criada',
    'The message could not be created',
    'No se pudo crear el mensaje',
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
  ERR_PIN_WAPP_MSG: [
    'A mensagem não pôde ser fixada',
    'The message could not be pinned',
    'No se pudo fijar el mensaje',
  ],
  ERR_MENTION_NOT_ALLOWED: [
    'Quem foi mencionado não pode ler este atendimento',
    'Whoever is mentioned may not read this ticket',
    'Quien fue mencionado no puede leer esta atención',
  ],
  ERR_FETCH_WAPP_MSG: [
    'Mensagem não encontrada, talvez seja muito antiga',
    'Message not found, it may be too old',
    'Mensaje no encontrado, quizá es muy antiguo',
  ],
  ERR_SENDING_WAPP_MSG: [
    'O WhatsApp recusou a mensagem',
    'WhatsApp refused the message',
    'WhatsApp rechazó el mensaje',
  ],
  ERR_CREATING_TICKET: [
    'O atendimento não pôde ser criado: esta conexão não alcança o contato',
    'The ticket could not be created: this connection does not reach the contact',
    'No se pudo crear la atención: esta conexión no alcanza al contacto',
  ],
  ERR_NO_TICKET_FOUND: [
    'Nenhum atendimento encontrado com este ID',
    'No ticket found with this id',
    'Ninguna atención encontrada con este ID',
  ],
  ERR_OTHER_OPEN_TICKET: [
    'Já existe um atendimento aberto para este contato',
    'There is already an open ticket for this contact',
    'Ya existe una atención abierta para este contacto',
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
  ERR_NO_QUEUE_FOUND: [
    'Nenhuma fila encontrada com este ID',
    'No queue found with this id',
    'Ninguna cola encontrada con este ID',
  ],
  ERR_QUEUE_COLOR_ALREADY_EXISTS: [
    'Esta cor já está em uso em outra fila',
    'This colour is already used by another queue',
    'Este color ya está en uso en otra cola',
  ],
  ERR_NO_CLOSING_REASON_FOUND: [
    'Este motivo não vale para a fila',
    'This reason is not for the queue',
    'Este motivo no es para la cola',
  ],
  ERR_CLOSING_REASON_REQUIRED: ['Informe o motivo', 'Give the reason', 'Indique el motivo'],
  ERR_NO_TAG_FOUND: [
    'Nenhuma etiqueta encontrada com este ID',
    'No tag found with this id',
    'Ninguna etiqueta encontrada con este ID',
  ],
  ERR_NO_CONTACT_FOUND: [
    'Nenhum contato encontrado com este ID',
    'No contact found with this id',
    'Ningún contacto encontrado con este ID',
  ],
  ERR_NO_CONTACT_EMAIL: [
    'O contato não tem e-mail.',
    'The contact has no e-mail address.',
    'El contacto no tiene correo electrónico.',
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
  ERR_SHEET_NOT_READY: [
    'Esta planilha não está pronta para isso. Escolha o arquivo de novo',
    'This spreadsheet is not ready for that. Choose the file again',
    'Esta planilla no está lista para eso. Elija el archivo de nuevo',
  ],
  ERR_SHEET_ODS: [
    'Esta planilha é do LibreOffice (.ods). Salve como .xlsx ou .csv e escolha de novo',
    'This spreadsheet is of LibreOffice (.ods). Save it as .xlsx or .csv and choose it again',
    'Esta planilla es de LibreOffice (.ods). Guárdela como .xlsx o .csv y elíjala de nuevo',
  ],
  ERR_SHEET_XLS: [
    'Esta planilha é do Excel antigo (.xls). Salve como .xlsx ou .csv e escolha de novo',
    'This spreadsheet is of an old Excel (.xls). Save it as .xlsx or .csv and choose it again',
    'Esta planilla es de un Excel antiguo (.xls). Guárdela como .xlsx o .csv y elíjala de nuevo',
  ],
  ERR_TOO_MANY_KEPT: [
    'Não cabem mais. Remova um antes',
    'There is no room for another. Remove one first',
    'No caben más. Quite uno antes',
  ],
  ERR_SHEET_UNDER_WAY: [
    'Uma planilha de contatos já está sendo importada. Espere ela terminar',
    'A spreadsheet of contacts is being imported already. Wait until it is done',
    'Ya se está importando una planilla de contactos. Espere a que termine',
  ],
} as const
