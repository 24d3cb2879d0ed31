/** What is settled in a few words; of most of a year that is enough to be read. */
export const brief = {
  Vendas: `
> Bom dia, o {produto} ainda está na promoção?
< Bom dia, {nome}! Está sim: {valor} até {dia}

# Orçamento
> Quanto sai o {produto} com {medida}?
< Oi, {nome}! Sob medida fica {valor}, em até {parcelas}x

> Vocês entregam no {bairro}?
< Entregamos sim, {nome}. O frete sai por R$ 89,00
> ótimo, obrigada

# Orçamento
> Preciso de preço para três unidades: {produto}
< Olá, {nome}! Para três consigo {valor} cada, frete incluso

> tem {produto} na cor {cor}?
< Temos, {nome}, pronta entrega 😊

# VIP
> Oi {atendente}, chegou a coleção nova?
< Chegou, {nome}! Separei um {produto} pra você ver {dia}
> 😍

> Que horas a loja abre no sábado?
< Sábado abrimos das 9h às 18h, {nome}
`,
  Suporte: `
> qual a previsão do pedido {pedido}?
< {nome}, ele sai {dia}, {turno}

# Troca
> Quero trocar a cor do {produto}
< Sem problema, {nome}. Retiramos {dia} e levamos na cor {cor}

# Reclamação
> O {produto} veio sem os pés
< Desculpe, {nome}! Os pés seguem hoje pelo correio, sem custo
> aguardo

> Como regulo a porta do guarda-roupa?
< {nome}, o vídeo está aqui: https://lume.test/manuais/portas

> Podem remarcar a montagem para {dia}?
< Remarcada, {nome}: {dia}, {turno}
`,
  Financeiro: `
> me manda o boleto de novo por favor
< Enviado para o seu e-mail, {nome}: {valor}, vence {dia}

> Preciso da nota fiscal do pedido {pedido}
< Segue, {nome}: https://lume.test/nf/{pedido}.pdf
> obrigado

# Reclamação
> cobraram o frete duas vezes
< Tem razão, {nome}. O estorno de R$ 89,00 sai em até 3 dias úteis

> Posso pagar o restante no Pix?
< Pode sim, {nome}. Chave: financeiro@lume.test, {valor}
`,
}
