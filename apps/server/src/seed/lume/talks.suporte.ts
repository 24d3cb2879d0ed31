export const suporte = `
# Reclamação
> Bom dia. Meu {produto} chegou com um risco na lateral
> estou bem chateada, esperei um mês
< Bom dia, {nome}. Sinto muito por isso. Pode me mandar o número do pedido?
> pedido {pedido}
< Obrigada. Já registrei. Vamos trocar a peça sem custo e buscar a riscada na mesma visita
> quando?
< {dia}, {turno}. Serve para você?
> serve, obrigada
< Mais uma vez, desculpe o transtorno. Qualquer coisa me chame aqui

> Oi, comprei o {produto} e não achei o manual de montagem
< Oi, {nome}! Sem problema, segue: https://lume.test/manuais/montagem.pdf
> Faltou um parafuso também 😅
< Acontece! É o M6 de 40 mm? Mando pelo correio hoje
> Esse mesmo. Obrigado!!
< Por nada! O código de rastreio é BR{pedido}LM

# Troca
> boa tarde, queria trocar a cor do {produto}
> pedi {cor} mas não combinou
< Boa tarde, {nome}! Está dentro dos 7 dias?
> chegou ontem
< Então a troca é gratuita. Qual cor prefere?
> {cor2}
< Tenho em estoque. Levamos o novo e recolhemos o outro {dia}, {turno}
> maravilha
< Pedido {pedido} atualizado ✅

> Vocês fazem a montagem de novo se eu mudar de apartamento?
< Oi, {nome}! Fazemos sim: desmontagem e montagem por R$ 280,00 na mesma cidade
> Atende no {bairro}?
< Atende. Quer agendar?
> Ainda não sei a data, aviso quando tiver
< Combinado, fico à disposição

> a entrega era hoje e ninguém apareceu
< Olá, {nome}, vou verificar agora com a transportadora
< O caminhão teve um problema mecânico. Conseguem receber amanhã {turno}?
> de novo isso?
> amanhã eu trabalho
< Entendo, e peço desculpas. Posso marcar para sábado, primeiro horário, e devolver o valor do frete
> sábado pode ser
< Marcado para sábado às 8h. Estorno do frete em até 3 dias úteis
> ok

> Como eu limpo o tecido {cor} do sofá?
< Oi, {nome}! Pano úmido com sabão neutro, sem esfregar. Nada de água sanitária 🙂
> derrubei vinho kkkkk
< Ai! Então primeiro papel-toalha pressionando, depois água com gás. Se ficar mancha, temos parceiro de limpeza
> deu certo!!! obrigada
< Que bom! 🎉

# Reclamação
> A gaveta do {produto} está emperrando
> já é a segunda vez
< Olá, {nome}. Vamos mandar um técnico. Pode ser {dia}?
> pode, {turno}
< Técnico Wagner agendado. Está na garantia, sem custo
> tá bom
> e se não resolver?
< Se não resolver na visita, trocamos a peça inteira
> ok, obrigado

> Olá, o rastreio do pedido {pedido} não atualiza desde {dia}
< Olá, {nome}! O pedido saiu do centro de distribuição agora há pouco
< Previsão: {dia2}, {turno}
> ufa 😮‍💨 obrigado
`
