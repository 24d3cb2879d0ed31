import { commandTypes } from '@balcao/contract/bots.commands.ts'
import { botDefaults } from '@balcao/contract/bots.ts'
import { botCommands, botConnections, botSetups } from '../../features/bots/bots.table.ts'
import { whatsapps } from '../../features/connections/connections.table.ts'
import { flows } from '../../features/flows/flows.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { Sector } from './talks.ts'
import type { Stage } from './write.ts'

/** Who answers on the shop's second number, with menus, a question and a flow; people are one choice away. */
export async function lumeBot(sql: Sql, stage: Stage): Promise<void> {
  const { companyId, team } = stage
  const [phone] = await sql
    .insert(whatsapps)
    .values({
      companyId,
      name: 'Loja Online',
      lib: 'simulator',
      status: 'CONNECTED',
      number: '551130001001',
      greetingMessage: 'Olá, {{cliente}}! Sou a Lua, a assistente virtual da Lume Móveis. Como posso ajudar?',
      wanted: 'on',
      wantedOrder: 1,
    })
    .returning({ id: whatsapps.id })
  const [flow] = await sql
    .select({ id: flows.id })
    .from(flows)
    .where(and(eq(flows.companyId, companyId), eq(flows.name, 'Apresentação da loja')))
  const [setup] = await sql
    .insert(botSetups)
    .values({
      ...botDefaults,
      companyId,
      name: 'Lua, a assistente',
      typingTime: '2',
      typeMenu: 'list',
      reopenBotAfterHours: 24,
      userId: team[0]!.id,
    })
    .returning({ id: botSetups.id })
  const row = { companyId, botSetupId: setup!.id }
  await sql.insert(botConnections).values({ ...row, whatsappId: phone!.id })
  await sql.insert(botCommands).values(
    commands.map(({ sector, tag, isFlow, ...command }) => ({
      ...{ ...row, ...command },
      queueId: sector ? stage.sectors[sector] : null,
      tagIds: tag ? [stage.tags[tag]!] : [],
      ...(isFlow && { typeMessage: 'flow' as const, flowId: flow!.id }),
    })),
  )
}

interface Command {
  commandBot: string
  commandType: number
  descriptionBot?: string
  showMessage?: string
  forceNextFlow?: string
  /** By their names. */
  sector?: Sector
  tag?: string
  isFlow?: true
}

const commands: Command[] = [
  {
    ...{ commandBot: '1', commandType: commandTypes.menu, descriptionBot: 'Conhecer os móveis' },
    showMessage: 'Que bom! O que você procura?',
  },
  {
    ...{ commandBot: '1.1', commandType: commandTypes.informative, descriptionBot: 'Sofás e poltronas' },
    showMessage: 'Sofás de 2 e 3 lugares a partir de R$ 2.890, em linho ou couro, feitos em 20 dias.',
    forceNextFlow: '1',
  },
  {
    ...{ commandBot: '1.2', commandType: commandTypes.informative, descriptionBot: 'Mesas e cadeiras' },
    showMessage: 'Mesas de jantar de 4 a 10 lugares a partir de R$ 1.990. As cadeiras combinam com todas.',
    forceNextFlow: '1',
  },
  {
    ...{ commandBot: '1.3', commandType: commandTypes.sector, descriptionBot: 'Pedir um orçamento' },
    showMessage: 'Vou chamar alguém de Vendas. Conte enquanto isso o que você imagina.',
    ...{ sector: 'Vendas', tag: 'Orçamento' },
  },
  {
    ...{ commandBot: '2', commandType: commandTypes.question, descriptionBot: 'Acompanhar um pedido' },
    showMessage: 'Qual é o número do pedido? Ele está no e-mail da confirmação.',
    forceNextFlow: '2.1',
  },
  {
    ...{ commandBot: '2.1', commandType: commandTypes.sector, sector: 'Suporte' },
    showMessage: 'Obrigada! Anotei o pedido {{resposta}} e já chamo o Suporte.',
  },
  {
    ...{ commandBot: '3', commandType: commandTypes.informative, descriptionBot: 'A loja e os horários' },
    isFlow: true,
  },
  {
    ...{ commandBot: '4', commandType: commandTypes.sector, descriptionBot: 'Boletos e pagamentos' },
    ...{ showMessage: 'Já chamo o Financeiro.', sector: 'Financeiro' },
  },
  {
    ...{ commandBot: '5', commandType: commandTypes.resolve, descriptionBot: 'Encerrar' },
    showMessage: 'Até logo! É só escrever quando precisar.',
  },
]
