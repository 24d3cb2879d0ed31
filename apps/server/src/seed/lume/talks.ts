import { brief } from './talks.brief.ts'
import { financeiro } from './talks.financeiro.ts'
import { suporte } from './talks.suporte.ts'
import { vendas } from './talks.vendas.ts'

export type Sector = 'Financeiro' | 'Vendas' | 'Suporte'

/** How a conversation goes. */
export interface Talk {
  sector: Sector
  tag: string | null
  lines: { fromMe: boolean; body: string }[]
}

/** Written as a play: `>` is the customer, `<` the company, blank lines part the scenes, `#` names a tag. */
function scenes(sector: Sector, play: string): Talk[] {
  return play
    .trim()
    .split(/\n\n+/)
    .map(scene => {
      const lines = scene.split('\n')
      return {
        sector,
        tag: lines.find(line => line.startsWith('#'))?.slice(2) ?? null,
        lines: lines
          .filter(line => /^[<>]/.test(line))
          .map(line => ({ fromMe: line.startsWith('<'), body: line.slice(2).replaceAll('\\n', '\n') })),
      }
    })
}

export const talks: Talk[] = [
  ...scenes('Vendas', vendas),
  ...scenes('Suporte', suporte),
  ...scenes('Financeiro', financeiro),
]

export const briefTalks: Talk[] = [
  ...scenes('Vendas', brief.Vendas),
  ...scenes('Suporte', brief.Suporte),
  ...scenes('Financeiro', brief.Financeiro),
]

/** What the words in braces may become. */
export const fillings: Record<string, readonly string[]> = {
  produto: [
    'sofá Aurora de 3 lugares',
    'mesa Ipê de 6 lugares',
    'estante Vão',
    'poltrona Brisa',
    'cama box queen Serena',
    'aparador Linha',
    'rack Horizonte 1,80 m',
    'cadeira Tramada',
    'guarda-roupa Lume 6 portas',
    'luminária Cone',
  ],
  cor: ['cru', 'verde-oliva', 'terracota', 'cinza-claro', 'azul-petróleo', 'nogueira', 'carvalho'],
  valor: ['R$ 389,90', 'R$ 749,00', 'R$ 1.290,00', 'R$ 2.480,00', 'R$ 3.199,00', 'R$ 4.870,00'],
  parcelas: ['6', '8', '10', '12'],
  dia: ['segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'],
  turno: ['de manhã', 'à tarde', 'entre 9h e 12h', 'depois das 14h'],
  bairro: ['Vila Mariana', 'Pinheiros', 'Boqueirão', 'Cambuí', 'Savassi', 'Batel', 'Pituba', 'Santana'],
  medida: ['1,60 m', '1,80 m', '2,10 m', '2,30 m'],
}
