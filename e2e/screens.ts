import type { Locator, Page } from '@playwright/test'

/** Who looks: each role logs in once. */
export type Role = 'visitor' | 'attendant' | 'admin' | 'master'

/** One screenshot target: its path, and the element that shows it is complete. */
export interface Look {
  /** The path as the feature names it; the check requires that every one is listed here. */
  route: string
  as: Role
  /** `:ticket` and the like are rows of the demo data. */
  address: string
  shows(page: Page): Locator
}

/** A screen whose heading is there before anything else. */
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name })
const row = (name: string) => (page: Page) => page.getByRole('row').filter({ hasText: name }).first()
const field = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true })

/** The description of the public API. */
const described = (page: Page) => page.getByText('/api/messages/send/text').first()

/** Above the lines of a company's statement, as soon as they are loaded. */
const statementLink = (page: Page) => page.getByRole('link', { name: 'Imprimir ou salvar em PDF' })

/** A list, and its dialog for a new one, whose first field is called so. */
const listed = (path: string, name: string, first: string) => ({
  [path]: heading(name),
  [`${path}/new`]: field(first),
})

/** Every screen of the product, and what its address opens on it. A new route is one more line. */
export const looks: Look[] = [
  ...looksAt('/login', 'visitor', {
    '/login': page => page.getByRole('button', { name: 'Acessar' }),
  }),
  ...looksAt('/signup', 'visitor', {
    '/signup': page => page.getByRole('button', { name: 'Criar conta' }),
  }),
  ...looksAt('/forgot', 'visitor', { '/forgot': heading('Recupere o acesso') }),
  ...looksAt('/reset', 'visitor', { '/reset': heading('Crie uma nova senha') }),
  ...looksAt('/email', 'visitor', { '/email': heading('Confirme o seu novo e-mail') }),
  ...looksAt('/reportMail', 'visitor', { '/reportMail': heading('Pare o relatório semanal') }),
  ...looksAt('/invitation', 'visitor', { '/invitation': heading('Este convite não vale mais') }),
  ...looksAt('/store/:planId?', 'visitor', {
    '/store': page => page.getByRole('button', { name: 'Iniciar teste gratis' }),
    '/store/1': page => page.getByRole('link', { name: 'Ver todos os planos' }),
  }),
  ...looksAt('/subscription/:leadId?', 'visitor', {
    '/subscription': heading('Este link não vale mais'),
  }),
  ...looksAt('/tickets/:ticketId?', 'attendant', {
    '/tickets': page => page.locator('[data-ticket]').first(),
    '/tickets/:ticket': page => page.getByRole('log').locator('article').first(),
  }),
  ...looksAt('/schedules/:id?', 'admin', {
    '/schedules': heading('Agendamentos'),
    '/schedules/new': field('Mensagem'),
  }),
  ...looksAt('/contacts/:p?', 'admin', {
    '/contacts': row('Adriana'),
    '/contacts/new': field('Nome'),
    '/contacts?edit=:contact': field('Nome'),
  }),
  ...looksAt('/mentions', 'attendant', { '/mentions': heading('Menções') }),
  ...looksAt('/chat/:roomId?', 'attendant', { '/chat': heading('Conversas internas') }),
  ...looksAt('/quickAnswers/:id?', 'attendant', listed('/quickAnswers', 'Respostas rápidas', 'Atalho')),
  ...looksAt('/closingReasons/:id?', 'admin', listed('/closingReasons', 'Motivos de encerramento', 'Nome')),
  ...looksAt('/team', 'admin', { '/team': row('Helena') }),
  ...looksAt('/pauseReasons/:id?', 'admin', listed('/pauseReasons', 'Motivos de pausa', 'Nome')),
  ...looksAt('/survey', 'admin', { '/survey': heading('Pesquisa') }),
  ...looksAt('/CampaignSetups/:id?', 'admin', {
    '/CampaignSetups': heading('Configurações de campanha'),
    '/CampaignSetups/new': field('Nome'),
  }),
  ...looksAt('/Campaigns', 'admin', { '/Campaigns': heading('Campanhas') }),
  ...looksAt('/CampaignsCreator/:campaignId?', 'admin', {
    '/CampaignsCreator': page => page.getByRole('textbox', { name: 'Saudação' }),
  }),
  ...looksAt('/CampaignsManager/:campaignId?', 'admin', { '/CampaignsManager': heading('Campanhas') }),
  ...looksAt('/BotSetups/:id?', 'admin', {
    '/BotSetups': row('Lua, a assistente'),
    '/BotSetups/new': field('Nome'),
  }),
  ...looksAt('/Bots/:botSetupId?/:botSetupName?', 'admin', {
    '/Bots': page => page.getByRole('list', { name: 'Comandos' }).getByRole('button').first(),
  }),
  ...looksAt('/flowList', 'attendant', { '/flowList': row('Prazo de entrega') }),
  ...looksAt('/flowmanager/:flowId?', 'attendant', {
    '/flowmanager': page => page.getByRole('button', { name: 'Adicionar ação' }),
  }),
  ...looksAt('/tags/:id?', 'attendant', {
    '/tags': row('Orçamento'),
    '/tags/new': field('Nome'),
  }),
  ...looksAt('/kanban', 'attendant', { '/kanban': page => page.locator('[data-ticket]').first() }),
  ...looksAt('/dash', 'admin', { '/dash': page => page.getByRole('table', { name: 'Status geral' }) }),
  ...looksAt('/reports', 'admin', { '/reports': heading('Relatórios') }),
  ...looksAt('/connections/:id?', 'admin', {
    '/connections': row('Loja Centro'),
    '/connections/new': field('Nome'),
    '/connections/:connection': field('Nome'),
  }),
  ...looksAt('/CategoryContact/:id?', 'admin', {
    '/CategoryContact': row('Arquiteto'),
    '/CategoryContact/new': field('Nome'),
  }),
  ...looksAt('/users/:id?', 'admin', {
    '/users': row('Helena Prado'),
    '/users/new': field('Nome'),
    '/users/:user': field('Nome'),
  }),
  ...looksAt('/invitations/:id?', 'admin', {
    '/invitations': heading('Convites'),
    '/invitations/new': field('E-mail'),
  }),
  ...looksAt('/UserAuthorizations/:id?', 'admin', {
    '/UserAuthorizations': row('Operacionais'),
    '/UserAuthorizations/new': field('Nome'),
  }),
  ...looksAt('/botConfig/:id?', 'admin', {
    '/botConfig': heading('Gerenciamento de prompts'),
    '/botConfig/new': field('Contexto'),
  }),
  ...looksAt('/integration/:id?', 'master', {
    '/integration': heading('Integrações'),
    '/integration/new': field('Endereço da API'),
  }),
  ...looksAt('/queues/:id?/*', 'admin', {
    '/queues': row('Financeiro'),
    '/queues/new': field('Nome'),
  }),
  ...looksAt('/settings', 'admin', {
    '/settings': page => page.getByLabel('CNPJ'),
    '/settings?section=messages': page => page.getByLabel('Minutos para agradecimentos'),
    '/settings?section=hours': page => page.getByRole('button', { name: 'Salvar expediente' }),
    '/settings?section=visits': page => page.getByRole('columnheader', { name: 'Motivo' }),
  }),
  ...looksAt('/locations/:id?', 'admin', {
    '/locations': heading('Localizações'),
    '/locations/new': field('Nome'),
  }),
  ...looksAt('/api', 'attendant', { '/api': described }),
  ...looksAt('/api_old', 'attendant', { '/api_old': described }),
  ...looksAt('/ApiDocumentation', 'attendant', { '/ApiDocumentation': described }),
  ...looksAt('/apisendmessage/:id?', 'admin', {
    '/apisendmessage': heading('Tokens da API'),
    '/apisendmessage/new': field('Nome'),
  }),
  ...looksAt('/webhooks/:id?', 'admin', {
    '/webhooks': heading('Webhooks'),
    '/webhooks/new': field('Nome'),
  }),
  ...looksAt('/maps', 'attendant', { '/maps': heading('Mapa') }),
  ...looksAt('/simulator/:whatsappId', 'admin', {
    '/simulator/:connection': page => page.getByRole('list').getByRole('button').first(),
  }),
  ...looksAt('/scheduleAction', 'admin', { '/scheduleAction': page => page.getByLabel('Dados (JSON)') }),
  ...looksAt('/installation', 'master', {
    '/installation': page => page.getByRole('table', { name: 'Empresas' }).getByRole('row').nth(1),
  }),
  ...looksAt('/systemControl', 'master', {
    '/systemControl': page => page.getByRole('table', { name: 'Processos' }).getByRole('meter').first(),
  }),
  ...looksAt('/internalDocs', 'master', {
    '/internalDocs': page => page.getByText('/auth/login').first(),
  }),
  ...looksAt('/invoices/:companyId?', 'master', {
    '/invoices': page => page.getByRole('button', { name: /^Canceladas/ }),
    '/invoices/2': page => page.getByRole('button', { name: 'Adicionar fatura' }),
  }),
  ...looksAt('/revenue/:part?', 'master', {
    '/revenue': page => page.getByRole('table', { name: 'Por mês' }),
    '/revenue/plans': page => page.getByRole('table', { name: 'Empresas por plano' }),
    '/revenue/leads': page => page.getByRole('table', { name: 'Leads' }),
    '/revenue/receipts': page => page.getByRole('table', { name: 'Recebimentos' }),
  }),
  ...looksAt('/saasSettings', 'master', { '/saasSettings': heading('Cadastro e bloqueio') }),
  ...looksAt('/statement/:companyId', 'master', {
    '/statement/2': page => page.getByRole('table', { name: 'Extrato' }),
  }),
  ...looksAt('/receipts', 'master', { '/receipts': page => page.getByText('Nada a conferir') }),
  ...looksAt('/notificationTemplateList', 'master', {
    '/notificationTemplateList': page => page.getByText('Nenhum modelo ainda'),
  }),
  ...looksAt('/notificationTemplateManager/:templatesNotificationId?', 'master', {
    '/notificationTemplateManager': page => page.getByRole('textbox', { name: 'Nome', exact: true }),
  }),
  ...looksAt('/n/:notificationPlatform/:notificationId', 'visitor', {
    '/n/email/1': heading('Este aviso não existe mais'),
  }),
  ...looksAt('/companies', 'master', { '/companies': row('@') }),
  ...looksAt('/companiesManager/:companyId?', 'master', {
    '/companiesManager/2': statementLink,
  }),
  ...looksAt('/CreateNewCompany', 'master', {
    '/CreateNewCompany': page => page.getByLabel('Nome do usuário'),
  }),
  ...looksAt('/clientCompanyManager', 'admin', {
    '/clientCompanyManager': statementLink,
  }),
  ...looksAt('/plans/:id?', 'master', {
    '/plans': row('Padrão'),
    '/plans/new': field('Nome'),
  }),
  ...looksAt('/messageLogs', 'master', {
    '/messageLogs': heading('Logs de mensagens'),
  }),
]

/** Where its frame is kept, in `e2e/frames`. */
export const fileOf = ({ address }: Look) => `${address.replace(/\W+/g, '-').replace(/^-|-$/g, '')}.txt`

function looksAt(route: string, as: Role, addresses: Record<string, Look['shows']>): Look[] {
  return Object.entries(addresses).map(([address, shows]) => ({ route, as, address, shows }))
}
