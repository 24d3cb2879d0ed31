import type { ActionType, FlowType } from '@balcao/contract/flows.ts'

const action = (actionType: ActionType, given: { body?: string; param?: number }) => ({
  actionType,
  body: '',
  param: 0,
  mediaUrl: null,
  mediaFileName: '',
  mediaType: null,
  file: null,
  ...given,
})
const sends = (body: string) => action('SendText', { body })
const types = (param: number) => action('Composing', { param })
const waits = (param: number) => action('Delay', { param })

/** The canned messages of the demo company. */
export const lumeFlows: { name: string; type: FlowType; flowActions: ReturnType<typeof action>[] }[] = [
  {
    name: 'Prazo de entrega',
    type: 'Chat',
    flowActions: [
      types(2),
      sends('{{cliente}}, já consultei a sua entrega.'),
      waits(2),
      types(4),
      sends('Na capital o prazo é de 7 dias úteis; no interior, de 12.'),
      types(3),
      sends('Um dia antes avisamos o horário por aqui. O seu protocolo é {{protocolo}}.'),
    ],
  },
  {
    name: 'Apresentação da loja',
    type: 'Bot',
    flowActions: [
      types(3),
      sends('A Lume Móveis faz sofás, mesas e luminárias em madeira certificada, há 18 anos.'),
      types(3),
      sends('A loja fica aberta de segunda a sábado, das 9h às 19h.'),
    ],
  },
]
