import { texts } from '../../platform/text.ts'

export const useQueueClosingText = texts({
  reasonRequired: [
    'Exigir um motivo ao resolver',
    'Require a reason on resolving',
    'Exigir un motivo al resolver',
  ],
  farewell: ['Despedida da fila', 'Farewell of the queue', 'Despedida de la cola'],
  farewellHint: [
    'Enviada quando um usuário sem despedida própria resolve. Vazia: a da conexão.',
    'Sent when a user without an own farewell resolves. Empty: that of the connection.',
    'Se envía cuando resuelve un usuario sin despedida propia. Vacía: la de la conexión.',
  ],
  saveClosing: ['Salvar encerramento', 'Save closing', 'Guardar cierre'],
  saved: ['Salvo com sucesso', 'Saved', 'Guardado'],
})
