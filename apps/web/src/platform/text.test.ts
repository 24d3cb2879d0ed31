import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorStatus } from '@balcao/contract/errors.ts'
import dayjs from 'dayjs'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
})
vi.stubGlobal('document', { documentElement: {} })

let text: typeof import('./text.ts')
let errors: typeof import('./errors.text.ts')
let ApiError: typeof import('./call.ts').ApiError

/** Codes that are stored as a reason, of what a company may not send at the moment. */
const REASONS = ['ERR_COMPANY_SUSPENDED', 'ERR_NOT_IN_PLAN']
/** Their texts before any refusal. */
let atFirst: string[]
beforeAll(async () => {
  text = await import('./text.ts')
  text.onLanguage((await import('./time.ts')).setDateLocale)
  errors = await import('./errors.text.ts')
  atFirst = REASONS.map(errors.reasonText)
  await (await import('./errors.codes.text.ts')).loadCodeTexts(['ERR_NO_PLAN_FOUND'])
  ApiError = (await import('./call.ts')).ApiError
})
beforeEach(() => text.speak('ptBR'))

test('Portuguese is spoken first; another language is spoken at once and remembered [GEN-011]', async () => {
  const t = text.texts({ hello: ['Olá, {name}', 'Hello, {name}', 'Hola, {name}'] })
  expect(t.read('hello', { name: 'Ana' })).toBe('Olá, Ana')
  await text.speak('es')
  expect(t.read('hello', { name: 'Ana' })).toBe('Hola, Ana')
  expect([kept.get('i18nextLng'), document.documentElement.lang]).toEqual(['es', 'es'])
})

test('Dates speak the language that is stored; ptBR is the Portuguese of Brazil (GEN-015)', async () => {
  const day = () => dayjs('2026-03-02').format('dddd, D [|] MMMM')
  await text.speak('en')
  expect(day()).toBe('Monday, 2 | March')
  await text.speak('ptBR')
  expect([day(), kept.get('i18nextLng'), document.documentElement.lang]).toEqual([
    'segunda-feira, 2 | março',
    'ptBR',
    'pt-BR',
  ])
})

test('A text follows its count', () => {
  const t = text.texts({
    updates_one: ['{count} atualização', '{count} update', '{count} actualización'],
    updates: ['{count} atualizações', '{count} updates', '{count} actualizaciones'],
  })
  expect([1, 14].map(count => t.read('updates', { count }))).toEqual(['1 atualização', '14 atualizações'])
})

test('What a user typed stays as it is', () => {
  const t = text.texts({ said: ['{name}', '{name}', '{name}'] })
  expect(t.read('said', { name: '<b>{count} $t(said)</b>' })).toBe('<b>{count} $t(said)</b>')
})

test('Every code has its words in every language; what is unknown is said raw, or by one sentence [ERR-001, ERR-002, ERR-003, ERR-004, ERR-005, ERR-007, OP-66]', async () => {
  for (const { value } of text.languages) {
    await text.speak(value)
    for (const code of Object.keys(errorStatus) as ErrorCode[]) {
      const shown = errors.errorText(new ApiError(400, { error: code }))
      expect(shown).not.toMatch(/^(ERR_|An error)/)
    }
  }
  expect(errors.errorText(new ApiError(418, { message: 'I am a teapot' }))).toBe('I am a teapot')
  expect(errors.errorText(new ApiError(500, {}))).toBe('An error occurred!')
})

test('A code that comes only as the message is said in words; one that nobody knows is not shown', () => {
  const shown = (body: object) => errors.errorText(new ApiError(400, body))
  const full = shown({ error: 'ERR_SESSION_EXPIRED' })
  expect(shown({ message: 'ERR_SESSION_EXPIRED' })).toBe(full)
  expect(shown({ error: 'ERR_BAD_REQUEST', message: 'ERR_SESSION_EXPIRED' })).toBe(full)
  expect(shown({ error: 'ERR_BAD_REQUEST', message: 'Too Long!' })).toBe('Too Long!')
  expect(shown({ message: 'ERR_OF_TOMORROW' })).toBe('An error occurred!')
  expect(errors.reasonText('ERR_OF_TOMORROW')).toBe(errors.reasonText('ERR_SENDING_WAPP_MSG'))
})

test('Why a message was not sent has its words before any refusal has loaded more of them', () => {
  expect(atFirst).toEqual(
    REASONS.map(error => errors.errorText(new ApiError(402, { error: error as ErrorCode }))),
  )
})

/** Quoted in the documents; where each is shown is tested with its screen. */
const DOCUMENTED = `Acessar|Profile|Logout|Preferencias|APLICAR|Nenhuma notificação.|Aguardando|Atendendo|Nada de mensagens
  Rascunho|Resolver|Adicionar Agendamento|PENDENTE|ENVIADA|Mensagem apagada|Mensagem apagada pelo contato
  Chamada de voz/vídeo perdida às {time}|Você já tem um ticket aberto para este contato
  Este contato já estava na fila aguardando atendimento|Transfira para uma conexão para atender este ticket
  {name} transferiu um atendimento de {contact}|Visualizar ticket|Too Short!|Too Long!|Required|Invalid email
  Defina o grupo de permissões|Não foi definido há conexão padrão para este usuário
  Não foi definido nenhum setor padrão para este usuário|Selecione um tipo de conexão|Selecione uma fila
  O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos|O CNPJ deve conter 14 dígitos|CPF invalido|CNPJ invalido
  An error occurred!|Salvo com sucesso|Criado com sucesso|Algo de errado, verifique com o administrador do sistema
  Falha na busca de contatos|Não foi possível carregar os usuários|Não foi possível carregar o preview
  Erro ao renderizar a localização|Cartão de contato não suportado, ou não possui whatsapp...
  Falha ao fazer o download do arquivo|MENU|Único|Recorrente Semanal|Recorrente Mensal|Informativo|Resolver Ticket
  Prompt GPT|digitando...|gravando audio...|Selecione um contato|O texto não pode ficar vazio
  O texto não pode ser menor do que 6 caracteres|Mensagem muito curta|Deve ser uma URL válida|O nome é obrigatório
  O nome deve conter no mínimo 5 caracteres|Selecione um tipo de fluxo|Configuração salva com sucesso`

test('What the documents quote is said as they quote it (GEN-013) [GEN-013, ERR-028]', () => {
  const sources = ['..', '../../../../packages/contract/src'].map(folder =>
    fileURLToPath(new URL(folder, import.meta.url)),
  )
  const shown = sources
    .flatMap(cwd => globSync('**/*.ts*', { cwd }).map(file => join(cwd, file)))
    .filter(file => !file.includes('.test.'))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  const missing = DOCUMENTED.split(/[|\n]\s*/).filter(
    text => !new RegExp(`['"\`]${escaped(text)}['"\`]`).test(shown),
  )
  expect(missing).toEqual([])
})

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
