import { texts } from '../../platform/text.ts'

export const useIntegrationText = texts({
  title: ['Integrações', 'Integrations', 'Integraciones'],
  prompts: ['Prompts', 'Prompts', 'Prompts'],
  add: ['Adicionar integração', 'Add integration', 'Agregar integración'],
  edit: ['Editar integração', 'Edit integration', 'Editar integración'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: [
    'Os prompts de todas as empresas deixam de responder por este endereço. Isto não pode ser desfeito.',
    'The prompts of every company stop answering through this address. This cannot be undone.',
    'Los prompts de todas las empresas dejan de responder por esta dirección. Esto no se puede deshacer.',
  ],
  none: ['Ainda não há integrações', 'No integrations yet', 'Todavía no hay integraciones'],
  noneHint: [
    'A primeira integração responde pelos prompts de todas as empresas.',
    'The first integration answers for the prompts of every company.',
    'La primera integración responde por los prompts de todas las empresas.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
  type: ['Tipo', 'Type', 'Tipo'],
  apiUrl: ['Endereço da API', 'API address', 'Dirección de la API'],
  apiUrlHint: [
    'Vazio: {url}. Serve qualquer servidor que fale o mesmo protocolo.',
    'Empty: {url}. Any server that speaks the same protocol will do.',
    'Vacío: {url}. Sirve cualquier servidor que hable el mismo protocolo.',
  ],
  apiToken: ['Chave da API', 'API key', 'Clave de la API'],
  apiTokenHint: [
    'É guardada cifrada e não é mais mostrada.',
    'It is kept sealed and not shown again.',
    'Se guarda cifrada y no se muestra más.',
  ],
  message: ['Observação', 'Note', 'Observación'],
  dataJson: ['Dados (JSON)', 'Data (JSON)', 'Datos (JSON)'],
  test: ['Testar {name}', 'Test {name}', 'Probar {name}'],
  testing: ['Chamando o endereço…', 'Calling the address…', 'Llamando a la dirección…'],
  answers: ['Responde em {ms} ms', 'Answers in {ms} ms', 'Responde en {ms} ms'],
  models_one: ['Oferece {count} modelo:', 'Offers {count} model:', 'Ofrece {count} modelo:'],
  models: ['Oferece {count} modelos:', 'Offers {count} models:', 'Ofrece {count} modelos:'],
})
