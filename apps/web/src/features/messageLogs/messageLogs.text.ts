import { texts } from '../../platform/text.ts'

export const useMessageLogText = texts({
  logs: ['Logs de mensagens', 'Message logs', 'Registros de mensajes'],
  search: ['Buscar', 'Search', 'Buscar'],
  unknown: ['Tipo desconhecido', 'Unknown type', 'Tipo desconocido'],
  warning: ['Aviso', 'Warning', 'Aviso'],
  date: ['Data', 'Date', 'Fecha'],
  spent: ['Tempo gasto', 'Time spent', 'Tiempo'],
  ticket: ['Ticket', 'Ticket', 'Ticket'],
  address: ['Contato e mensagem', 'Contact and message', 'Contacto y mensaje'],
  company: ['Empresa', 'Company', 'Empresa'],
  connection: ['Conexão', 'Connection', 'Conexión'],
  type: ['Tipo', 'Type', 'Tipo'],
  body: ['Texto', 'Text', 'Texto'],
  open: ['Abrir', 'Open', 'Abrir'],
  back: ['Voltar', 'Back', 'Volver'],
  reprocess: ['Reprocessar', 'Process again', 'Reprocesar'],
  reprocessed: ['Reprocessado', 'Processed again', 'Reprocesado'],
  recent: ['Reprocessar recentes', 'Process recent ones again', 'Reprocesar recientes'],
  recentBegun: [
    'As mensagens das últimas 24 horas estão sendo reprocessadas',
    'The messages of the last 24 hours are being processed again',
    'Se están reprocesando los mensajes de las últimas 24 horas',
  ],
  removeAll: ['Excluir todos', 'Delete all', 'Eliminar todos'],
  removeAllTitle: ['Excluir todos os logs?', 'Delete all logs?', '¿Eliminar todos los registros?'],
  removeAllHint: [
    'Esta ação não pode ser desfeita. As conversas não mudam.',
    'This cannot be undone. Conversations do not change.',
    'Esta acción no se puede deshacer. Las conversaciones no cambian.',
  ],
  none: ['Nada por aqui', 'Nothing here', 'Nada por aquí'],
  noneHint: [
    'O que as conexões ouvirem aparece aqui.',
    'What connections patchByPush shows up here.',
    'Lo que escuchen las conexiones aparece aquí.',
  ],
})
