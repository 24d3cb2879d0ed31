import { texts } from '../../platform/text.ts'

export const useSetupText = texts({
  add: ['Adicionar configuração', 'Add setup', 'Agregar configuración'],
  edit: ['Editar configuração', 'Edit setup', 'Editar configuración'],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
  toCampaigns: ['Voltar às campanhas', 'Back to campaigns', 'Volver a las campañas'],
  saved: ['Configuração salva com sucesso', 'Setup saved', 'Configuración guardada'],
  none: ['Nenhuma configuração', 'No setups', 'Ninguna configuración'],
  noneHint: [
    'Uma configuração diz por quais conexões e com que ritmo as campanhas saem.',
    'A setup says over which connections and at what pace campaigns leave.',
    'Una configuración dice por qué conexiones y a qué ritmo salen las campañas.',
  ],
  token: ['Token', 'Token', 'Token'],
  copyToken: ['Copiar o token de {name}', 'Copy the token of {name}', 'Copiar el token de {name}'],
  tokenHidden: [
    'Só administradores e quem a criou veem o token',
    'Only administrators and its owner see the token',
    'Solo los administradores y quien la creó ven el token',
  ],
  tokenCopied: ['Token copiado', 'Token copied', 'Token copiado'],
  name: ['Nome', 'Name', 'Nombre'],
  queue: ['Fila', 'Queue', 'Cola'],
  connections: ['Conexões', 'Connections', 'Conexiones'],
  user: ['Usuário', 'User', 'Usuario'],
  startMode: ['Início', 'Start', 'Inicio'],
  auto: ['Automático', 'By itself', 'Automático'],
  manual: ['Manual', 'By hand', 'Manual'],
  times: [
    'Tempos (máx. | mín. | intervalo)',
    'Times (max | min | interval)',
    'Tiempos (máx. | mín. | intervalo)',
  ],
  copyNamed: ['Copiar {name}', 'Copy {name}', 'Copiar {name}'],
  removeTitle: [
    'Excluir a configuração {name}?',
    'Delete the setup {name}?',
    '¿Eliminar la configuración {name}?',
  ],
  removeHint: [
    'As campanhas que terminaram ficam; o token deixa de valer.',
    'Campaigns that are over stay; the token no longer works.',
    'Las campañas terminadas quedan; el token deja de valer.',
  ],
})
