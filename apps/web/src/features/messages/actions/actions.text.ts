import { texts } from '../../../platform/text.ts'

export const useForwardText = texts({
  forward: ['Encaminhar', 'Forward', 'Reenviar a otro'],
  select: ['Selecionar mensagens', 'Select messages', 'Seleccionar mensajes'],
  forwardMany_one: ['Encaminhar mensagem', 'Forward message', 'Reenviar mensaje'],
  forwardMany: ['Encaminhar {count} mensagens', 'Forward {count} messages', 'Reenviar {count} mensajes'],
  selected_one: ['{count} selecionada', '{count} selected', '{count} seleccionado'],
  selected: ['{count} selecionadas', '{count} selected', '{count} seleccionados'],
  atMost: ['no máximo {count}', 'at most {count}', 'como máximo {count}'],
  cancel: ['Cancelar a seleção', 'Cancel the selection', 'Cancelar la selección'],
  yours: ['Seus atendimentos abertos', 'Your open tickets', 'Sus atenciones abiertas'],
  toOpen: [
    'Vai para o atendimento aberto {protocol}.',
    'Goes to the open ticket {protocol}.',
    'Va a la atención abierta {protocol}.',
  ],
  toNew: [
    'Um novo atendimento será aberto para este contato.',
    'A new ticket will be opened for this contact.',
    'Se abrirá una nueva atención para este contacto.',
  ],
  isPending: [
    'Este contato está aguardando na fila: aceite o atendimento primeiro.',
    'This contact waits in the queue: accept the ticket first.',
    'Este contacto espera en la cola: acepte primero la atención.',
  ],
  others: [
    '{name} já atende este contato em {queue}',
    '{name} already attends this contact in {queue}',
    '{name} ya atiende a este contacto en {queue}',
  ],
  noQueue: ['Sem fila', 'No queue', 'Sin cola'],
  chooseQueue: ['Selecione uma fila', 'Select a queue', 'Seleccione una cola'],
  done_one: ['Mensagem encaminhada para {name}', 'Message forwarded to {name}', 'Mensaje reenviado a {name}'],
  done: [
    '{count} mensagens encaminhadas para {name}',
    '{count} messages forwarded to {name}',
    '{count} mensajes reenviados a {name}',
  ],
  view: ['Ver conversa', 'See the conversation', 'Ver conversación'],
  document: ['Documento', 'Document', 'Documento'],
  download: ['Baixar {name}', 'Download {name}', 'Descargar {name}'],
})
