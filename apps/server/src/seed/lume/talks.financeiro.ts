export const financeiro = `
> Bom dia, preciso da segunda via do boleto
< Bom dia, {nome}! Pode confirmar o número do pedido, por favor?
> {pedido}
< Segue: 34191.79001 01043.510047 91020.150008 1 99990000{pedido}\\nValor {valor}, vencimento {dia}
> Obrigado!
< Por nada, {nome}

> Oi, o pagamento no Pix não apareceu ainda?
> comprovante: https://banco.test/c/{pedido}
< Oi, {nome}! Vou conferir
< Confirmado, {valor} recebidos. Pedido {pedido} liberado
> 🙏

# Reclamação
> fui cobrada duas vezes no cartão!!!
< Olá, {nome}. Vou verificar agora mesmo. Foram duas cobranças de {valor}?
> isso
< Uma delas foi uma tentativa que a operadora recusou depois: some da fatura em até 5 dias. Se não sumir, fazemos o estorno
> vou acompanhar então
< Deixei anotado aqui e te chamo {dia} para conferir
> obrigada pela atenção

> Gostaria da nota fiscal do pedido {pedido} no CNPJ da empresa
< Olá, {nome}! Claro. Qual o CNPJ e a inscrição estadual?
> 00.000.000/0001-00, isento
< Emitida: https://nf.lume.test/{pedido}.pdf
> Recebi, muito obrigado

> Consigo parcelar o restante em mais vezes?
< Oi, {nome}! Hoje faltam {valor}. Posso refazer em {parcelas}x
> Tem juros?
< Até 6x sem juros, acima disso 1,49% ao mês
> Vou ficar com 6x
< Feito. O novo link: https://pagar.lume.test/p/{pedido}
> pronto, paguei a primeira
< Recebida, obrigada!

# Troca
> Devolvi o {produto} e ainda não caiu o estorno
< Olá, {nome}. A devolução chegou {dia}; o estorno de {valor} já foi pedido à operadora
> quanto tempo leva?
< De uma a duas faturas, depende do banco. Envio a carta de cancelamento por aqui
> ok aguardo a carta
< https://lume.test/cartas/{pedido}.pdf

# VIP
> Boa tarde! Vocês conseguem antecipar a entrega se eu quitar hoje?
< Boa tarde, {nome}! Conseguimos: quitando hoje, entrego {dia}
> manda o pix
< Chave: financeiro@lume.test, valor {valor}
> feito ✅
< Confirmado! Entrega {dia}, {turno}
> vcs são demais 👏👏
`
