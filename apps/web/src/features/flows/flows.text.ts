import { texts } from '../../platform/text.ts'

export const useFlowText = texts({
  add: ['Adicionar fluxo', 'Add flow', 'Agregar flujo'],
  newFlow: ['Novo fluxo', 'New flow', 'Nuevo flujo'],
  back: ['Voltar para os fluxos', 'Back to the flows', 'Volver a los flujos'],
  changeByRight: [
    'Só quem tem esse direito altera fluxos.',
    'Only who has the right to changes flows.',
    'Solo quien tiene ese derecho cambia flujos.',
  ],
  none: ['Ainda não há fluxos', 'No flows yet', 'Todavía no hay flujos'],
  noneHint: [
    'Um fluxo diz a mesma sequência sempre do mesmo jeito: pelo robô, ou com ; em um atendimento.',
    'A flow says the same sequence in the same way each time: by the bot, or with ; in a conversation.',
    'Un flujo dice la misma secuencia siempre igual: por el bot, o con ; en una conversación.',
  ],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: [
    'O que já foi dito fica nas conversas.',
    'What it has said stays in the conversations.',
    'Lo que ya dijo queda en las conversaciones.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
  type: ['Tipo', 'Type', 'Tipo'],
  Bot: ['Robô', 'Bot', 'Bot'],
  Chat: ['Atendimento', 'Chat', 'Chat'],
  typeHint: [
    'Robô: escolhido nos comandos. Atendimento: iniciado com ; por quem atende.',
    'Bot: chosen in its commands. Chat: begun with ; by an attendant.',
    'Bot: elegido en sus comandos. Chat: iniciado con ; por quien atiende.',
  ],
  chooseType: ['Escolha', 'Choose', 'Elija'],
  actions: ['Ações', 'Actions', 'Acciones'],
  actionCount_one: ['{count} ação', '{count} action', '{count} acción'],
  actionCount: ['{count} ações', '{count} actions', '{count} acciones'],
  save: ['Salvar', 'Save', 'Guardar'],
  created: ['Fluxo criado com sucesso', 'Flow created', 'Flujo creado con éxito'],
  saved: ['Fluxo salvo com sucesso', 'Flow saved', 'Flujo guardado con éxito'],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
  missing: ['Este fluxo não existe mais', 'This flow is gone', 'Este flujo ya no existe'],
})
