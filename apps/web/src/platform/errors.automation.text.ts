/** Errors of building automations. */
export const automationErrors = {
  ERR_CAMPAIGN_EMPTY: [
    'A campanha ainda não tem contatos ou mensagens',
    'The campaign has no contacts or no messages yet',
    'La campaña todavía no tiene contactos o mensajes',
  ],
  ERR_CAMPAIGN_FINALIZED: ['A campanha já foi concluída', 'The campaign is over', 'La campaña ya terminó'],
  ERR_CAMPAIGN_NOT_FINALIZED: [
    'A campanha ainda não terminou',
    'The campaign is not over yet',
    'La campaña todavía no terminó',
  ],
  ERR_DISPATCH_SENT: [
    'Esta pessoa já recebeu ou está recebendo a mensagem',
    'This person got the message or is getting it now',
    'Esta persona ya recibió o está recibiendo el mensaje',
  ],
  ERR_DISPATCH_TWICE: [
    'Este número já está na campanha',
    'This number is in the campaign already',
    'Este número ya está en la campaña',
  ],
  ERR_CAMPAIGN_NO_SETUP: [
    'Selecione a Configuração da campanha',
    'Choose the setup of the campaign',
    'Elija la configuración de la campaña',
  ],
  ERR_CAMPAIGN_RUNNING: [
    'A campanha já começou: só o nome e o horário podem mudar',
    'The campaign has begun: only its name and time can change',
    'La campaña ya comenzó: solo su nombre y su horario pueden cambiar',
  ],
  ERR_CAMPAIGN_VARIABLE: [
    'Falta um valor para uma variável do texto',
    'A variable of the text has no value',
    'Falta un valor para una variable del texto',
  ],
  ERR_OPTED_OUT: [
    'O contato pediu para não receber campanhas',
    'The contact asked not to receive campaigns',
    'El contacto pidió no recibir campañas',
  ],
  ERR_SETUP_IN_USE: [
    'Uma campanha que não terminou usa esta configuração',
    'A campaign that is not over uses this setup',
    'Una campaña que no terminó usa esta configuración',
  ],
  ERR_BOT_CONNECTION_TAKEN: [
    'Outro bot já atende nesta conexão',
    'Another bot already speaks on this connection',
    'Otro bot ya atiende en esta conexión',
  ],
  ERR_USED_BY_BOTS: [
    'Bots usam isto. Mude os comandos deles antes, ou confirme a exclusão',
    'Bots use this. Change their commands before, or confirm the deletion',
    'Hay bots que usan esto. Cambie antes sus comandos o confirme la eliminación',
  ],
  ERR_NO_BOT: [
    'Nenhum bot atende nesta conexão',
    'No bot speaks on this connection',
    'Ningún bot atiende en esta conexión',
  ],
  ERR_BOT_NUMBER_TAKEN: [
    'Outro comando já tem este número',
    'Another command already has this number',
    'Otro comando ya tiene este número',
  ],
  ERR_API_TOKEN: [
    'O token da API não existe ou foi revogado',
    'The API token does not exist or was revoked',
    'El token de la API no existe o fue revocado',
  ],
  ERR_IDEMPOTENCY_KEY: [
    'Esta Idempotency-Key já foi usada com outro conteúdo',
    'This Idempotency-Key was used with other content',
    'Esta Idempotency-Key ya se usó con otro contenido',
  ],
  ERR_MEDIA_ADDRESS: [
    'O arquivo não pôde ser buscado neste endereço',
    'The file could not be fetched from this address',
    'No se pudo obtener el archivo en esta dirección',
  ],
  ERR_WEBHOOK_ADDRESS: [
    'Este endereço é de uma rede privada e não pode ser chamado',
    'This address is in a private network and may not be called',
    'Esta dirección es de una red privada y no se puede llamar',
  ],
  ERR_TOO_MANY_TOKENS: [
    'A empresa já tem 50 tokens de API: exclua um que não usa.',
    'The company has 50 API tokens already: delete one that is not used.',
    'La empresa ya tiene 50 tokens de API: elimine uno que no use.',
  ],
  ERR_TOO_MANY_WEBHOOKS: [
    'A empresa já tem 10 webhooks: exclua um antes',
    'The company already has 10 webhooks: delete one first',
    'La empresa ya tiene 10 webhooks: elimine uno antes',
  ],
  ERR_FLOW_RUNNING: [
    'Já há um fluxo em andamento neste atendimento: espere ou pare-o',
    'A flow is already running in this conversation: wait, or stop it',
    'Ya hay un flujo en curso en esta conversación: espere o deténgalo',
  ],
  ERR_SCHEDULE_NOT_FAILED: [
    'Este agendamento não está com falha',
    'This schedule has not failed',
    'Este mensaje programado no falló',
  ],
  ERR_SCHEDULE_TOO_LATE: [
    'Passou de 24 horas do horário marcado',
    'More than 24 hours had passed since its time',
    'Pasaron más de 24 horas del horario marcado',
  ],
} as const
