#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
import{E,EnvironmentError,InputError,L,S,__callDispose,__using,a,accepts,answerOf,answerText,answersOf,array,askOtava,b,
betweenParts,bodyOfLogin,boolean,cacheFolderOf,cellSchema,changeSize,changedOn,codeSpan,columnsOf,columnsOf2,committedEnvironment,
configurationPaths,cookiesIn,count,countCells,countingSeconds,dataBlock,defined,dialectOf,discriminatedUnion,documentHead,
e,eachRequest,endpointLabel,endpointsSchema,exceptionIn,exitStatus,explain,explain2,explainDocument,explainPorts,explainText,
figure,files,fillInEndpoints,findRepository,foreignYaml,formFromOpenApi,frameworkPackages,groupBy,hasProgram,html,instructionChange,
int,isClosed,isCountable,isDescribed,isEventStream,isForProduction,isGuard,isLocustFile,isNonEmpty,isServerVariable,isVariablesExample,
jsonOf,keepSeeded,keyOf,labelsMeant,lackOfExtension,literal,lockFiles,loginSchema,m,makePlan,materialOf,measureAll,memberOf,
methods,millions,mostApps,mysqlService,mysqlStyles,nearest,number,object,openApiPath,openCommitRange,openDatabase,openResultsFolder,
operationsOf,p,packageFolder,packagesOfExtensions,pad,pageScriptPath,parseConfig,parseConfigurationFile,parseHistoryLine,
parseRequest,perRequest,percent,placeholdersIn,plural,plusMinus,prepare,prepareMaterials,printable,printableLines,projectFiles,
reachOf,readEndpoints,readHistoryAtRef,readHistoryFolder,readLogin,readPageScript,readRepository,readRequest,readScripts,
readVariables,record,redirectIn,redirectRemedy,redirectWords,refuseTokens,relativeChange,replyWords,resolved,runAll,runPorts,
runningArmOf,seedRequestOf,sentence,serverTemplateOf,servers,servicePresets,shellWords,short,shortenEnd,shortenMiddle,signedPercent,
statedValue,stepsOf,stillSlow,strictObject,string,tableRow,tellingLine,textMatching,textOfPlainFile,tooSlow,toolOfLockFile,
trialPorts,urlStyles,usualInputs,usualServer,valueOfSchema,variablesFor,visibleLine,watchFiles,withRunningArms,withTrial}from"./engine.js";async function again({cell,reported,raw,isJson},ports){let given=Object.fromEntries(Object.entries(raw).filter(([,text])=>text)),
{comparison}=await runAll({...usualInputs.again,...given},ports,apps=>cellAlone(apps,cell)),[row]=comparison.rows,answer=row&&
answerOf(row,comparison,reported);return answer!==void 0&&ports.print(`The head is your working tree, including uncommit\
ted edits.
`),isJson&&ports.answer(explainText(explainDocument(comparison,answer))),row!==void 0&&answer!==void 0&&ports.print(`${answerText(
answer,row,comparison,reported)}
`),answer==="gone"?exitStatus.fine:answer==="still there"?exitStatus.forbidden:exitStatus.environmentFailed}function cellAlone(apps,id){
let planned=apps.map(app=>({app,cells:makePlan(app.workload).cells})),chosen2=planned.flatMap(({app,cells})=>{let found2=cells.
find(each=>each.id===id);return found2===void 0?[]:[withOnly(app,[found2.endpoint],found2.workers)]});if(isNonEmpty(chosen2))
return chosen2;let known2=planned.flatMap(({cells})=>cells.map(each=>each.id));throw new InputError([`again: this config\
uration has no cell ${id}; choose from ${known2.slice(0,20).join(", ")}`])}function withOnly(app,endpoints,workers2){let{
check:check3}=app.workload,thresholds=check3.thresholds?.filter(({endpoint})=>endpoint===void 0||labelsMeant(endpoint,endpoints).
size>0);return{...app,workload:{...app.workload,endpoints,workerCounts:[workers2],check:{...check3,...defined({thresholds})}}}}function compareEnds(rows){let changed2=rows.flatMap(row=>{let verdict=row.versus?.verdict;return(verdict?.kind==="slowe\
r"||verdict?.kind==="faster")&&!verdict.isSmall&&row.effect!==void 0?[{row,effect:row.effect}]:[]}),[most]=changed2.toSorted(
(a2,b2)=>sizeOf(b2.effect)-sizeOf(a2.effect));if(most!==void 0)return{kind:"changed",...most};let open=rows.filter(row=>!isEqual(
row));return rows.length>0&&open.length===0?{kind:"equal"}:{kind:"not certain",row:open.find(({versus})=>versus!==void 0)??
open[0]}}function sizeOf({value}){return Math.abs(Math.log1p(value))}function isEqual({standing,versus}){return standing===
"not reached"?!0:versus!==void 0&&(versus.verdict.kind==="unchanged"||versus.verdict.isSmall)}function slowdownOf({value}){
return value<0?value:1/(1+value)-1}function likenessOf(row,limit){if(row?.standing==="not reached")return"faster end";if(row?.
versus===void 0)return"not measured";if(row.effect===void 0)return"not certain";let reach=reachOf(row.effect,limit);return reach===
"perhaps"?"not certain":reach==="certainly"?"slower end":"faster end"}function answerOf2(likeness,slowerEnd){if(likeness!==
"not certain")return likeness==="not measured"?"skip":likeness==="slower end"==(slowerEnd==="bad")?"bad":"good"}var leastPart=1/
2,statementError={least:.1,share:.005},leastStatements=.4,farFromEnd=1/4;function instructionsApart({effect,arms}){if(effect.
interval===void 0)return;let{low,high}=effect.interval;return{apart:{low:Math.log1p(low),high:Math.log1p(high)},reference:arms.
base,other:arms.head}}function statementsApart({base:base2,head}){let[one,two]=[base2?.statementsPerRequest,head?.statementsPerRequest];
if(one===void 0||two===void 0)return;let error=Math.max(statementError.least,statementError.share*Math.max(one,two));return{
apart:{low:two-one-error,high:two-one+error},reference:one,other:two}}function reversed({apart,reference,other}){return{
apart:{low:-apart.high,high:-apart.low},reference:other,other:reference}}function witnessOf({arms,versus},{change,slowerEnd}){
let{instructions,effects}=versus??{},needed=-Math.log1p(change)*leastPart,counts=typeof instructions=="object"?instructionsApart(
instructions):void 0,isCpuLimit=effects?.throughputByCpu!==void 0;return witness("instructions",counts,needed,{slowerEnd,
isProof:isCpuLimit})??witness("statements",statementsApart(arms),leastStatements,{slowerEnd,isProof:!1})}function witness(by,counted2,least,{
slowerEnd,isProof}){if(counted2===void 0)return;let{apart}=slowerEnd==="bad"?counted2:reversed(counted2);return apart.low<
least?void 0:{by,isProof,apart,good:counted2.reference,bad:counted2.other}}function countedEnds(rows){return rows.flatMap(
row=>{let change=row.versus?.instructions;if(typeof change!="object"||change.kind==="none")return[];let slowerEnd=change.
kind==="more"?"bad":"good",own=witness("instructions",instructionsApart(change),0,{slowerEnd,isProof:!0});return own===void 0?
[]:[{row,change,slowerEnd,witness:own}]}).toSorted((a2,b2)=>b2.witness.apart.low-a2.witness.apart.low)[0]}function placeOf({
low,high},far){let[nearer,farther]=[far.low/2,far.high/2],likeness=high<nearer?"faster end":low>farther?"slower end":"no\
t certain",margin=far.high*farFromEnd,isFarFromFaster=low>margin||high<-margin,isFarFromSlower=high<far.low-margin||low>
far.high+margin;return{likeness,isAtNeitherEnd:isFarFromFaster&&isFarFromSlower}}var commit=string().regex(/^[0-9a-f]{40,64}$/),answeredSchema=strictObject({commit,answer:m(["good","bad","skip"]),counted:strictObject(
{perRequest:number(),isAtNeitherEnd:boolean(),isConfirmed:literal(!0).optional()}).optional()}),witnessSchema=strictObject(
{by:m(["instructions","statements"]),apart:strictObject({low:number(),high:number()}),good:number(),bad:number(),isProof:boolean()}),
bisectionSchema=strictObject({schemaVersion:literal(2),good:commit,bad:commit,inputs:record(string(),string()),cell:cellSchema.
shape.id.optional(),change:number().min(-1).max(0).optional(),slowerEnd:m(["good","bad"]).optional(),witness:witnessSchema.
optional(),comparisons:int().nonnegative().max(1e4),answers:array(answeredSchema).max(1e4)});function usualComparisons(commits){
return 1+Math.ceil(Math.log2(Math.max(1,commits)))}function errorShare(total,commits,comparisons){let usual2=usualComparisons(
commits),further=comparisons-usual2;return further<0?total*.9/usual2:total*.1/2**(further+1)}var short2=commit2=>commit2.slice(0,10);function resumed(answers){return`Resuming after ${plural(answers,"commit")}`}function comparingEnds({
good,bad,commits}){return`Comparing the ends: ${short2(good)} and ${short2(bad)}, ${plural(commits,"commit")} later`}function equalEnds({
design},{good,bad}){return`The ends do not differ: there is no change${design===void 0?"":` of ${percent(design.minChange)}\
 or more`} from ${short2(good)} to ${short2(bad)}.`}function openEnds(row){if(row===void 0)return"It is not certain that\
 the ends differ: nothing was measured.";let{cell,versus}=row;return versus===void 0?`${printable(endpointLabel(cell.endpoint))}\
 could not be compared: ${reasonOf(row)}`:`It is not certain that the ends differ: ${doubtOf(row)}. ${longer(versus.verdict.
minutesToSettle)}`}function changedEnds({cell},effect,{good,bad,commits}){let{size,range}=changeSize(effect),word=effect.
value<0?"slower":"faster";return`${printable(endpointLabel(cell.endpoint))} is ${size} ${word} (${range}) in ${short2(bad)}\
 than in ${short2(good)}.${stepsLeft({commits})}`}function stepsLeft({commits}){let steps=Math.ceil(Math.log2(commits));
return steps===0?"":` About ${plural(steps,"more commit")} to measure.`}var names={instructions:"CPU instructions",statements:"\
SQL statements"};function fromTo(by,from,to){return`${amount(by,from)} → ${amount(by,to)}`}function amount(by,value){return by===
"instructions"?millions(value):perRequest(value)}function witness2(found2,{versus}){let instructions=versus?.instructions;
return found2!==void 0?`Each commit is judged by its ${names[found2.by]} per request: ${fromTo(found2.by,found2.good,found2.
bad)}.`:instructions===void 0?"Each commit is judged by its throughput.":`Each commit is judged by its throughput: ${typeof instructions==
"string"?`CPU instructions were not counted (${printable(instructions)})`:`CPU instructions do not explain the change (${fromTo(
"instructions",instructions.arms.base,instructions.arms.head)} per request)`}.`}function countedEnds2({cell},{arms,effect},ends2){
let name=printable(endpointLabel(cell.endpoint)),more=`${changeSize(effect).size} ${effect.value>0?"more":"fewer"}`;return`${name}\
 runs ${more} CPU instructions per request in ${short2(ends2.bad)} than in ${short2(ends2.good)} (${fromTo("instructions",
arms.base,arms.head)}), while throughput is too noisy to be certain. Each commit is judged by its CPU instructions.${stepsLeft(
ends2)}`}function counted(commit2,answer,{perRequest:value,isAtNeitherEnd},{by,good,bad}){let doubt=isAtNeitherEnd?`. Th\
is matches neither end (${fromTo(by,good,bad)}), so there may be two changes`:"";return`${short2(commit2)} is ${answer}:\
 ${amount(by,value)} ${names[by]} per request${doubt}`}function confirming(commit2){return`Measuring the throughput of ${short2(
commit2)}, because its count alone is no proof`}function contradicted(){return"Throughput contradicts the counts, so the\
 remaining commits are judged by throughput."}function unconfirmed({witness:found2}){return`The ${names[found2?.by??"ins\
tructions"]} point to this commit, but throughput does not confirm it yet. Run it again with a larger \`--max-minutes\` to\
 continue from here.`}function decided({witness:found2,good,bad,answers},commit2){let last=answers.findLast(({answer})=>answer===
"good"),atEnd=(end,own,isEnd)=>isEnd?end:own?.counted?.perRequest,before=atEnd(found2?.good,last,last===void 0||last.commit===
good),after=atEnd(found2?.bad,answers.find(each=>each.commit===commit2),commit2===bad),by=found2!==void 0&&before!==void 0&&
after!==void 0?`${names[found2.by]}: ${fromTo(found2.by,before,after)}`:"throughput",isMixed=answers.some(each=>each.counted?.
isAtNeitherEnd),ends2=found2&&isMixed?fromTo(found2.by,found2.good,found2.bad):"";return ends2===""?`by ${by}`:`by ${by}\
; the ends have ${ends2}, so there may be another change`}function testing(commit2,left,steps){return`Measuring ${short2(
commit2)}: ${plural(left,"commit")} left, about ${plural(steps,"step")}`}function tested(commit2,row,{answer,limit,why}){
let name=short2(commit2);return answer==="skip"?`${name} could not be measured and is skipped: ${why===""?reasonOf(row):
printable(why)}`:answer!==void 0?`${name} is ${answer}: ${row===void 0?"":changeOf(row)}`:`${name} could not be judged w\
ith certainty: ${row===void 0?"":doubtOf(row)}, and a commit counts as bad if it is at least ${percent(limit,"measured")}\
 slower`}function changeOf({standing,effect}){return standing==="not reached"?"the endpoint runs none of the changed cod\
e":`${relativeChange(effect)} compared with the faster end`}function reasonOf(row){return printable(row?.problem?.reason??
row?.loneArm?.reason??"there is no result")}function doubtOf({cell,effect,versus}){if(effect?.interval===void 0)return printable(
versus?.verdict.reason??"");let{low,high}=effect.interval;return`the change in ${printable(endpointLabel(cell.endpoint))}\
 is between ${signedPercent(low)} and ${signedPercent(high)}`}function longer(minutes){return`Run it again with ${minutes===
void 0?"a larger `--max-minutes`":`\`--max-minutes ${Math.ceil(minutes)+1}\``}.`}function remaining({good,bad,answers},left){
let last=(wanted,end)=>answers.findLast(({answer})=>answer===wanted)?.commit??end;return`The change began after ${short2(
last("good",good))} and no later than ${short2(last("bad",bad))}: in one of ${plural(left,"commit")}. Run it again with \
a larger \`--max-minutes\` to continue from here.`}function among(commits){return`The change began in one of these commi\
ts, of which only the last could be measured: ${commits.map(short2).join(", ")}`}function found(commit2,about2,{total,comparisons},by){
return[`The change began with ${short2(commit2)}.`,`  ${printable(about2)}`,`  ${by}`,`${plural(comparisons,"comparison")}\
; the chance of a wrong answer in any of them is at most ${percent(total)}.`].join(`
`)}async function countAlone(cell,workload,ports){var _stack=[];try{let unseen=isCountable(cell.endpoint)?await ports.countingProblem():
"instructions of such requests are not counted";if(unseen!==void 0)return{unseen};await ports.clearResults();let head=await ports.
commitOf(workload.app.folder);let prepared=__using(_stack,await prepare(workload,defined({head}),ports),!0);if(prepared.
arms.base===void 0)return{unseen:prepared.loneArm?.reason??"there is no base"};ports.progress({kind:"phase started",phase:"\
instructions",seconds:countingSeconds(1)});let found2=await countCells([cell],prepared,ports);return found2.get(keyOf(cell))??
{unseen:"it was cancelled"}}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(_stack,_error,_hasError);
_promise&&await _promise}}var bare={soak:"0s",diagnose:"never","count-instructions":"never",comment:"false","fail-on":"regression"},shortMinutes="\
0.4";async function test(commit2,bisection,searching,{isByTime}){return(isByTime?void 0:await testByCount(commit2,bisection,
searching))??await testByTime(commit2,bisection,searching)}async function testByCount(commit2,bisection,searching){let{witness:witness3,
slowerEnd="bad"}=bisection;if(witness3===void 0)return;let{by,apart}=witness3,counted2=by==="instructions"?await countedApart(
commit2,bisection,searching):await countedStatements(commit2,bisection,searching);if(counted2 instanceof Error)return skipped(
commit2,reasonOf2(counted2));if(typeof counted2!="object")return;let{likeness,isAtNeitherEnd}=placeOf(counted2.apart,apart),
answer=answerOf2(likeness,slowerEnd);if(answer===void 0)return;let placed3={perRequest:counted2.other,isAtNeitherEnd};return{
answer:{commit:commit2,answer,counted:placed3},line:counted(commit2,answer,placed3,witness3)}}function skipped(commit2,why){
let line=tested(commit2,void 0,{answer:"skip",limit:0,why});return{answer:{commit:commit2,answer:"skip"},line}}async function testByTime(commit2,bisection,searching){
let{change,slowerEnd="bad"}=bisection,settings2=change===void 0?{"max-minutes":shortMinutes}:{},limit=change===void 0?Number.
NaN:-change/2,comparison=await comparedToFaster(commit2,bisection,searching,settings2);if(comparison instanceof Error)return skipped(
commit2,reasonOf2(comparison));let[row]=comparison.rows,answer=answerOf2(likenessOf(row,limit),slowerEnd);return answer===
void 0&&change===void 0?skipped(commit2,"its count does not decide"):{answer:answer&&{commit:commit2,answer},line:tested(
commit2,row,{answer,limit,why:""})}}async function comparedToFaster(commit2,bisection,searching,settings2){let{cell="",change}=bisection,
limit=change===void 0?void 0:share(-change/2),limits2=limit===void 0?{}:{"min-change":limit,"max-slowdown":limit};return await compared(
commit2,bisection,{"base-ref":fasterEnd(bisection),...limits2,...settings2},searching,apps=>cellAlone(apps,cell))}async function countedStatements(commit2,bisection,searching){
let comparison=await comparedToFaster(commit2,bisection,searching,{"max-minutes":shortMinutes});return comparison instanceof
Error?comparison:statementsApart(comparison.rows[0]?.arms??{})}async function countedApart(commit2,bisection,searching){
let{counted:counted2,inRange,folder,ports}=searching,{cell=""}=bisection,inputs={...inputsOf(bisection,{"base-ref":fasterEnd(
bisection)},searching),"results-directory":ports.request.files.resolve("counted",folder)},change=await attempted(commit2,
searching,()=>counted2(inputs,inRange,apps=>cellAlone(apps,cell)));return typeof change=="string"||change instanceof Error?
change:instructionsApart(change)??"the counts of two starts differ"}function fasterEnd({slowerEnd,good,bad}){return slowerEnd===
"good"?bad:good}function reasonOf2(problem){return problem instanceof InputError?problem.problems.join("; "):problem.message}
function share(value){return`${(value*100).toFixed(6)}%`}async function compared(commit2,bisection,settings2,searching,choose){
let{folder,inRange,ports,measured}=searching,inputs={...inputsOf(bisection,settings2,searching),"results-directory":ports.
request.files.resolve(commit2.slice(0,10),folder)};return await attempted(commit2,searching,async()=>(await measured(inputs,
inRange,choose)).results.comparison)}function inputsOf({comparisons},settings2,{raw,total,range}){let falseAlarms=share(
errorShare(total,range.commits,comparisons));return{...raw,...bare,...settings2,"false-alarm-rate":falseAlarms}}async function attempted(commit2,{
range,ports},act){await range.checkOut(commit2);try{let result=await act();return ports.signal.throwIfAborted(),result}catch(problem){
if(!(problem instanceof InputError||problem instanceof EnvironmentError))throw problem;return problem}}async function countAll(raw,ports,choose){
let request=await readRequest("run",raw,ports.request),[{workload}]=choose(await fillInEndpoints(request,ports)),{cells:[
cell],design}=makePlan(workload);if(cell===void 0||design===void 0)return"there is nothing to compare";let counted2=await countAlone(
cell,workload,await ports.measurePorts(request.reporting,workload));return instructionChange(counted2,design)}function endpointOf(apps,name){let chosen2=apps.flatMap(app=>{let{endpoints,workerCounts}=app.workload,meant=name===void 0?
void 0:labelsMeant(name,endpoints),own=endpoints.filter(each=>meant===void 0||meant.has(endpointLabel(each)));return isNonEmpty(
own)?[withOnly(app,own,workerCounts[0])]:[]});if(isNonEmpty(chosen2))return chosen2;let known2=apps.flatMap(({workload})=>workload.
endpoints.map(endpointLabel));throw new InputError([`endpoint: ${JSON.stringify(name)} is not measured; choose from ${known2.
slice(0,20).join(", ")}`])}function environmentOf(apps){let[only,...others]=apps,install=only?.workload.app.install;return others.
length===0&&typeof install=="object"&&"environmentFolder"in install?{install:install.environmentFolder}:{}}async function portsWithin(range,apps,ports){
let{files:files2,readConfigurationFile}=ports.request,kept=new Map(await Promise.all(apps.map(async({config})=>[config,await readConfigurationFile(
config)]))),here=range.at(files2.resolve("."));return{...ports,request:{...ports.request,files:{...files2,resolve:(path,folder)=>files2.
resolve(path,folder===void 0?here:files2.resolve(folder,here))},readConfigurationFile:async name=>{let file=kept.get(name);
return file&&{...file,folder:range.at(file.folder)}}}}}async function bisect(wanted,ports,{measured,counted:counted2}={measured:measureAll,counted:countAll}){var _stack=[];try{
refuseTokens(ports.environment);let given=Object.fromEntries(Object.entries(wanted.raw).filter(([,text])=>text));let raw={
...usualInputs.bisect,...given};let request=await readRequest("run",raw,ports.request);let folder=request.reporting.resultsDirectory;
let[first]=request.apps;if(first===void 0||first.workload.targets!==void 0)throw new InputError(["base-url: bisect needs\
 the app's code, because it starts each commit"]);let range=__using(_stack,await ports.openRange(wanted.good,wanted.bad),
!0);let searching={wanted,ports,range,folder,measured,counted:counted2,isCounting:first.workload.comparing.countsInstructions,
raw:{...raw,...environmentOf(request.apps)},total:first.workload.comparing.falseAlarmRate,inRange:await portsWithin(range,
request.apps,ports)};let begun=begin(range,wanted,given);let kept=readBisection(await ports.readState(folder),begun);kept!==
void 0&&kept.answers.length>0&&ports.print(`${resumed(kept.answers.length)}
`);await keep(kept??begun,searching);let compared2=kept?.cell===void 0?await ends(kept??begun,searching):kept;return typeof compared2==
"number"?compared2:await search(compared2,searching)}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(
_stack,_error,_hasError);_promise&&await _promise}}function begin({good,bad},{endpoint},given){let{"max-minutes":_,"resu\
lts-directory":__,...others}=given,inputs=Object.fromEntries(Object.entries({...others,endpoint}).flatMap(([name,text])=>text?
[[name,text]]:[]));return{schemaVersion:2,good,bad,inputs,comparisons:0,answers:[]}}function readBisection(text,{good,bad,
inputs}){if(text===void 0)return;let{data}=bisectionSchema.safeParse(jsonOf(text));return data?.good===good&&data.bad===
bad&&JSON.stringify(data.inputs)===JSON.stringify(inputs)?data:void 0}async function ends(begun,searching){let{range,ports,
wanted,isCounting}=searching;ports.print(`${comparingEnds(range)}
`);let spent={...begun,comparisons:begun.comparisons+1},settings2={"base-ref":range.good,"count-instructions":isCounting?
"auto":"never"},comparison=await compared(range.bad,begun,settings2,searching,apps=>endpointOf(apps,wanted.endpoint));if(comparison instanceof
Error)throw comparison;let found2=compareEnds(comparison.rows),change=found2.kind==="changed"?changedEnds2(found2,range):
countedOnly(found2,comparison,range),bisection={...spent,...change?.known};if(await keep(bisection,searching),change!==void 0)
return ports.print(`${change.text}
`),bisection;let isEqual2=found2.kind==="equal";return ports.print(`${isEqual2?equalEnds(comparison,range):openEnds(found2.
row)}
`),isEqual2?exitStatus.fine:exitStatus.environmentFailed}function changedEnds2({row,effect},range){let change=slowdownOf(
effect),slowerEnd=effect.value<0?"bad":"good",witness3=witnessOf(row,{change,slowerEnd});return{known:{cell:row.cell.id,
change,slowerEnd,...defined({witness:witness3})},text:`${changedEnds(row,effect,range)}
${witness2(witness3,row)}`}}function countedOnly({kind},{rows},range){let found2=kind==="not certain"?countedEnds(rows):
void 0;if(found2===void 0)return;let{row,change,slowerEnd,witness:witness3}=found2;return{known:{cell:row.cell.id,slowerEnd,
witness:witness3},text:countedEnds2(row,change,range)}}async function search(begun,searching){let{range,ports}=searching,
bisection=begun;for(;;){let next=await range.next(bisection.answers);if(next.kind==="among")return ports.print(`${among(
next.commits)}
`),exitStatus.environmentFailed;let doubted=next.kind==="found"?unconfirmed2(bisection,next.commit):void 0;if(next.kind===
"found"&&doubted===void 0){let chance={total:searching.total,comparisons:bisection.comparisons},about2=await range.describe(
next.commit);return ports.print(`${found(next.commit,about2,chance,decided(bisection,next.commit))}
`),exitStatus.fine}let commit2=doubted?.commit??next.commit,left=next.kind==="test"?next.left:1;ports.print(`${doubted===
void 0?testing(commit2,left,usualComparisons(left)-1):confirming(commit2)}
`);let tested2=await test(commit2,bisection,searching,{isByTime:doubted!==void 0}),{answer}=tested2;if(bisection={...bisection,
comparisons:bisection.comparisons+1},answer!==void 0&&(bisection=doubted===void 0?answered(bisection,answer):confirmed(bisection,
doubted,answer)),await keep(bisection,searching),ports.print(`${tested2.line}
`),doubted!==void 0&&bisection.witness===void 0&&ports.print(`${contradicted()}
`),answer===void 0)return ports.print(`${doubted===void 0?remaining(bisection,left):unconfirmed(bisection)}
`),exitStatus.environmentFailed}}function answered(bisection,answer){return{...bisection,answers:[...bisection.answers,answer]}}
function unconfirmed2({witness:witness3,answers},found2){return witness3===void 0||witness3.isProof?void 0:[answers.find(
({commit:commit2})=>commit2===found2),answers.findLast(({answer})=>answer==="good")].find(each=>each?.counted!==void 0&&
each.counted.isConfirmed===void 0)}function confirmed(bisection,doubted,byTime2){let{witness:_,answers,...others}=bisection;
if(byTime2.answer!==doubted.answer)return{...others,answers:[...answers.filter(({counted:counted3})=>counted3===void 0),
byTime2]};let{counted:counted2}=doubted,sure={...doubted,...counted2&&{counted:{...counted2,isConfirmed:!0}}};return{...bisection,
answers:answers.map(each=>each===doubted?sure:each)}}async function keep(bisection,{ports,folder}){await ports.saveState(
folder,`${JSON.stringify(bisection)}
`)}var mostValues=50;function queriesFor(path,name,columns){let nouns=nounsOf(path,name),wanted=columnNames(path,name);return columns.
flatMap(each=>{let place=nouns.findIndex(noun=>tableFits(each.table,noun)),rank2=(nouns[place]===inSnakeCase(name)?[...new Set(
[...wanted,...called])]:wanted).indexOf(each.column.toLowerCase());return place<0||rank2<0?[]:[{...each,rank:place*10+rank2}]}).
toSorted((a2,b2)=>a2.rank-b2.rank).slice(0,6).map(each=>`SELECT ${quoted(each.column)} FROM ${placeOf2(each)} ORDER BY 1\
 LIMIT 1000`)}var isOfOwner=/^(?:user|owner|author|creator|created_by|member|customer|account)(?:_?(?:id|uuid))?$|^(?:user|owner|author|creator|member|customer|account)Id$/;
function ownQueriesFor(path,name,columns,account){let nouns=nounsOf(path,name),names2=columnNames(path,name),links=[inSnakeCase(
name),...nouns.map(noun=>`${singular(noun)}_id`)].filter(each=>/._(?:id|uuid)$/.test(each));return columns.filter(({column})=>isOfOwner.
test(column)).flatMap(owner=>{let siblings=columns.filter(({schema,table:table2})=>schema===owner.schema&&table2===owner.
table),key=[...nouns.some(noun=>tableFits(owner.table,noun))?names2:[],...links].flatMap(wanted=>siblings.filter(({column})=>column.
toLowerCase()===wanted)).find(({column})=>column!==owner.column),where=`${quoted(owner.column)} = (${account})`;return key===
void 0?[]:[`SELECT ${quoted(key.column)} FROM ${placeOf2(key)} WHERE ${where} ORDER BY 1 LIMIT 1000`]}).slice(0,4)}function accountQueries(name,columns){
return isSafeName(name)?columns.filter(isAccountName).flatMap(each=>{let key=["id","user_id","uuid","account_id","uid"].
find(wanted=>columns.some(({table:table2,column})=>table2===each.table&&column===wanted));return key===void 0?[]:[`SELEC\
T ${quoted(key)} FROM ${placeOf2(each)} WHERE ${quoted(each.column)} = '${name}'`]}).slice(0,6):[]}function isSafeName(name){
return/^[\w.@+-]{1,100}$/.test(name)}function isAccountName({table:table2,column}){return/user|account|member/i.test(table2)&&
/^(?:user_?name|e?mail|login)$/i.test(column)}function placeOf2({schema,table:table2}){return schema==="public"?quoted(table2):
`${quoted(schema)}.${quoted(table2)}`}var called=["slug","id","uuid","name"];function valuesInList(path,name,reply){let rows=rowsIn(
reply);for(let key of columnNames(path,name)){let values=rows.map(row=>memberOf(row,key)).filter(each=>isValue(each));if(values.
length>0)return[...new Set(values)].slice(0,mostValues)}let plain=rows.filter(each=>isValue(each));return[...new Set(plain)].
slice(0,mostValues)}function listPaths(path){let before=path.slice(0,path.lastIndexOf("{")).replace(/\/+$/,"");return before===
""?[]:[before,`${before}/`,before.replace(/[^/]+$/,noun=>plural2(noun))]}function rowsIn(reply){return listIn(reply)??[]}
var mostEnvelopes=2;function listIn(reply,depth=0){if(Array.isArray(reply))return reply;if(typeof reply!="object"||reply===
null||depth===mostEnvelopes)return;let own=Object.values(reply).find(each=>Array.isArray(each));if(Array.isArray(own))return own;
for(let each of Object.values(reply)){let found2=listIn(each,depth+1);if(found2!==void 0)return found2}}function isEmptyList(reply){
return listIn(reply)?.length===0}function isValue(value){return typeof value=="number"?!0:typeof value=="string"&&value!==
""&&value.length<200&&!value.includes("/")}function nounsOf(path,name){return[inSnakeCase(name).replace(/_?(?:id|uuid|slug|name|key|pk)$/i,
""),beforeIn(path,name)].filter(each=>each!=="").map(each=>each.toLowerCase().replaceAll("-","_"))}function beforeIn(path,name){
let parts=path.slice(0,path.indexOf(`{${name}}`)).toLowerCase().split("/"),own=name.toLowerCase();return parts.filter(part=>part!==
""&&!part.includes("{")).findLast(part=>part.replace(/^by[-_]/,"")!==own)??""}function columnNames(path,name){let lower=inSnakeCase(
name),[,last=lower]=/_([a-z]+)$/.exec(lower)??[],isKey=/(?:^|_)(?:id|pk|uuid|key)$/.test(lower)||singular(beforeIn(path,
name))===lower;return[...new Set([lower,name.toLowerCase(),last,...isKey?["id","uuid"]:[]])]}function inSnakeCase(name){
return name.replaceAll(/([a-z0-9])([A-Z])/g,"$1_$2").toLowerCase()}function tableFits(table2,noun){let plain=table2.toLowerCase();
return[noun,plural2(noun),singular(noun)].some(each=>plain===each||plain.endsWith(`_${each}`)||plain.replaceAll("_","")===
each.replaceAll("_",""))}function plural2(noun){return noun.endsWith("s")?noun:/[^aeiou]y$/.test(noun)?`${noun.slice(0,-1)}\
ies`:`${noun}s`}function singular(noun){return noun.endsWith("ies")?`${noun.slice(0,-3)}y`:noun.endsWith("s")?noun.slice(
0,-1):noun}function quoted(name){return/^[a-z_][a-z0-9_]*$/.test(name)&&name!=="user"&&name!=="order"&&name!=="group"?name:
`"${name.replaceAll('"','""')}"`}function guessesFor(document,path,names2){let guesses=names2.flatMap(name=>{let schema=schemaOf(
document,path,name),type=memberOf(schema,"type");if(type==="integer"||type==="number")return[[name,1,987654321]];let isFree=[
"format","pattern","enum"].every(each=>memberOf(schema,each)===void 0);return type==="string"&&isFree?[[name,"loadtest",
"load-987654321"]]:[]});return guesses.length===names2.length?guesses:void 0}function schemaOf(document,path,name){let item2=memberOf(
memberOf(document,"paths"),path),parameter=[memberOf(item2,"parameters"),memberOf(memberOf(item2,"get"),"parameters")].flatMap(
each=>Array.isArray(each)?each:[]).map(each=>resolved(document,each)).find(each=>memberOf(each,"name")===name);return resolved(
document,memberOf(parameter,"schema"))}function isAnswerToAll(first,second,guesses){return typeof second=="string"?!1:second.
status===404?!0:!(first.body===second.body&&leavesOf(contentOf(first.body)).includes(null))&&hasContent(first,guesses)}function hasContent({
body},guesses){let requested=new Set(guesses.map(([,first])=>String(first))),leaves=leavesOf(contentOf(body)),own=leaves.
filter(each=>!requested.has(String(each)));return own.filter(each=>each!==null&&each!=="").length>0||own.length===0&&leaves.
length>0}function contentOf(body){let value=jsonOf(body);return value===void 0?body:value}function leavesOf(value){if(typeof value!=
"object"||value===null)return[value];let parts=Object.values(value);return parts.length===0?[null]:parts.flatMap(leavesOf)}function rowMakersFor(document,paths,knownFor2){let lists=new Set(paths.flatMap(path=>[path,...listsAbove(path)]).map(withoutSlash));
return operationsOf(document).filter(({method,path})=>method==="POST"&&lists.has(withoutSlash(path))).flatMap(endpoint=>(endpoint.
path.includes("{")?knownFor2(endpoint.path):[{}]).flatMap(values=>rowMaker(document,endpoint,values)??[]))}function isRandomKey(key){
return/^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-/i.test(String(key))}function listsAbove(path){return placeholdersIn(path).
flatMap(name=>{let upTo=path.slice(0,path.indexOf(`{${name}}`)+name.length+2);return listPaths(upTo)})}function withoutSlash(path){
return path.replace(/\/$/,"")}function rowMaker(document,endpoint,values){let{path}=endpoint,form=formFromOpenApi(withParameters(
document,path),endpoint,!0);if(typeof form=="string")return;let sent=Object.entries(values).reduce((each,[name,value])=>each.
replace(`{${name}}`,encodeURIComponent(value)),form.endpoint.path);if(form.body?.kind!=="json")return{path,values,lines:[
`POST ${sent}`]};let schema=schemaOfBody(document,path),bodies=[varied(document,schema,form.body.value),form.body.value].
map(each=>JSON.stringify(each));return{path,values,lines:[...new Set(bodies)].map(body=>`POST ${sent} ${body}`)}}function withParameters(document,path){
let paths=Object(memberOf(document,"paths")),item2=Object(memberOf(paths,path)),filled=place=>{let list=memberOf(place,"\
parameters");return Array.isArray(list)?list.map(each=>resolved(document,each)).map(each=>({example:valueOfSchema(document,
memberOf(each,"schema")),...Object(each)})):[]},post={...Object(memberOf(item2,"post")),parameters:filled(memberOf(item2,
"post"))};return{...Object(document),paths:{...paths,[path]:{...item2,parameters:filled(item2),post}}}}function schemaOfBody(document,path){
let post=memberOf(memberOf(memberOf(document,"paths"),path),"post"),content=memberOf(resolved(document,memberOf(post,"re\
questBody")),"content");return memberOf(memberOf(content,"application/json"),"schema")}function varied(document,place,value){
let schema=chosen(document,place,value);return Array.isArray(value)?value.map(each=>varied(document,memberOf(schema,"ite\
ms"),each)):typeof value=="object"&&value!==null?Object.fromEntries(Object.entries(value).map(([name,each])=>[name,/password/i.
test(name)?each:varied(document,memberOf(memberOf(schema,"properties"),name),each)])):typeof value=="string"?variedText(
schema,value):value}var roomForNumber=2;function variedText(schema,value){let format=memberOf(schema,"format");if(format===
"email"||/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value))return value.replace("@","{n}@");if(["enum","const"].some(name=>memberOf(
schema,name)!==void 0)||format!==void 0||!/[A-Za-z]$/.test(value)||value.includes("://"))return value;let[pattern,most]=[
memberOf(schema,"pattern"),memberOf(schema,"maxLength")];return typeof most=="number"&&value.length+roomForNumber>most?value:
typeof pattern!="string"||accepts(pattern,`${value}12`)?`${value}{n}`:value}function chosen(document,place,value){let schema=resolved(
document,place);for(let name of["anyOf","oneOf","allOf"]){let all=memberOf(schema,name);if(!Array.isArray(all))continue;
let type=memberOf({string:"string",number:"number",boolean:"boolean"},typeof value);return all.map(each=>chosen(document,
each,value)).find(each=>type===void 0||memberOf(each,"type")===type)}return schema}var password="Load-test-1!",isSignUp=/register|registration|sign-?up/i,isUsers=/\/(?:users?|accounts?)(?:\/(?:open|create|add|new))?\/?$/i,
isAuth=/\/auth\/?$/i,fieldsOfLogin=2,isSignIn=/(?:login|log-in|sign-?in|token|authenticate|access-token|auth)\/?$/i,isOfAccount=/^(?:email|username|login|password)$/,
isOther=/refresh|revoke|reset|forgot|recover|verify|logout|change/i;function accountsIn(document){return operationsOf(document).
filter(({method,path})=>method==="POST"&&!path.includes("{")).filter(({path})=>[isSignUp,isUsers,isAuth].some(each=>each.
test(path))&&!isOther.test(path)).toSorted((a2,b2)=>Number(isSignUp.test(b2.path))-Number(isSignUp.test(a2.path))).flatMap(
({path})=>{let form=formFromOpenApi(document,{method:"POST",path},!0);if(typeof form=="string"||form.body?.kind!=="json")
return[];let body=withPassword(withNames(document,path,form.body.value)),fields2=Object.fromEntries(leavesOf2(body).map(
([name,value])=>[lastOf(name),value])),isLogin=isAuth.test(path)&&Object.keys(fields2).length<=fieldsOfLogin;return fields2.
password!==void 0&&nameOf(fields2)!==void 0&&!isLogin?[{line:`POST ${form.endpoint.path} ${JSON.stringify(body)}`,fields:fields2}]:
[]})}function tokenRequestsIn(document,{fields:fields2}){let stated=tokenPath(document),rankOf5=path=>path===stated?0:isSignIn.
test(path)?1:2;return operationsOf(document).filter(({method,path})=>method==="POST"&&!path.includes("{")&&!isOther.test(
path)).toSorted((a2,b2)=>rankOf5(a2.path)-rankOf5(b2.path)).flatMap(({path})=>{let isNamed=rankOf5(path)<2,known2=[fields2.
username,fields2.login,fields2.email],names2=[...new Set([...known2,nameOf(fields2)])].filter(each=>each!==void 0);if(isNamed&&
isForm(document,path)){let secret=fields2.password??password,ways=names2.map(username2=>({username:username2,password:secret}));
return[...ways.flatMap(each=>withScopes(document,each)),...ways].map(each=>({path,kind:"form",fields:each}))}let leaves=leavesOf2(
valueOfSchema(document,schemaOfBody(document,path))),isFew=leaves.length<=2&&!isSignUp.test(path)&&!isUsers.test(path);return(isNamed||
isFew)&&leaves.some(([name])=>lastOf(name)==="password")?(leaves.some(([name])=>/^(?:email|username|login)$/.test(lastOf(
name)))||names2.length<2?[nameOf(fields2)]:names2.toReversed()).map(other=>{let filled=leaves.flatMap(([name])=>{let value=fields2[lastOf(
name)]??other;return value===void 0?[]:[[name,value]]});return{path,kind:"json",fields:Object.fromEntries(filled)}}):[]})}
function carriersIn(document){let schemes=schemesIn(document),stated=[...keysIn(schemes,"header"),...requiredHeaders(document)],
headers=[...new Set(stated.length===0?["Authorization"]:stated)],words=[...schemes.some(each=>/^basic$/i.test(String(memberOf(
each,"scheme"))))?["Basic"]:[],"Bearer","Token","JWT",""];return[...keysIn(schemes,"cookie").map(name=>({header:"Cookie",
scheme:`${name}=`})),...headers.flatMap(header=>words.map(scheme=>({header,scheme})))]}function keyHeadersIn(document){return[
...new Set([...keysIn(schemesIn(document),"header"),...requiredHeaders(document)])]}function keysIn(schemes,place){return schemes.
flatMap(scheme=>{let name=memberOf(scheme,"name");return memberOf(scheme,"type")==="apiKey"&&memberOf(scheme,"in")===place&&
typeof name=="string"&&/^[\w-]{1,60}$/.test(name)?[name]:[]})}function requiredHeaders(document){return Object.values(Object(
memberOf(document,"paths"))).flatMap(item2=>Object.values(Object(item2)).flatMap(operation=>{let own=memberOf(operation,
"parameters");return Array.isArray(own)?own.map(each=>resolved(document,each)):[]})).flatMap(each=>{let name=memberOf(each,
"name");return memberOf(each,"in")==="header"&&memberOf(each,"required")===!0&&typeof name=="string"&&/^[\w-]{0,40}(?:token|auth|jwt|session|api-?key)[\w-]{0,20}$/i.
test(name)?[name]:[]})}var isToken=/token|jwt|^key$/i,webToken=/^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/;function tokenPlacesIn(reply){
return leavesOf2(reply).filter(([name,value])=>webToken.test(value)||isToken.test(lastOf(name))&&value.length>=8).map(([
name])=>name).filter(name=>!/refresh|type/i.test(lastOf(name)))}function schemeIn(reply){let[,word]=leavesOf2(reply).find(
([name])=>/^token_?type$/i.test(lastOf(name)))??[];return word!==void 0&&/^[A-Za-z]{1,20}$/.test(word)?word:void 0}function isForm(document,path){
let post=memberOf(memberOf(memberOf(document,"paths"),path),"post"),content=memberOf(resolved(document,memberOf(post,"re\
questBody")),"content");return memberOf(content,"application/x-www-form-urlencoded")!==void 0}function nameOf(fields2){return[
"email","username","login","name"].map(each=>fields2[each]).find(each=>each!==void 0)}function lastOf(name){return name.
slice(name.lastIndexOf(".")+1)}var deepest=3;function leavesOf2(value,before="",depth=0){return typeof value!="object"||
value===null||Array.isArray(value)||depth>deepest?[]:Object.entries(value).flatMap(([name,each])=>typeof each=="string"&&
!name.includes(".")?[[before+name,each]]:leavesOf2(each,`${before}${name}.`,depth+1))}function withNames(document,path,body){
if(typeof body!="object"||body===null)return body;let properties=memberOf(resolved(document,schemaOfBody(document,path)),
"properties"),more=Object.entries(Object(properties)).filter(([name])=>isOfAccount.test(name)&&!Object.hasOwn(body,name)).
map(([name,schema])=>[name,valueOfSchema(document,schema)]).filter(([,value])=>typeof value=="string");return{...body,...Object.
fromEntries(more)}}function withPassword(value){return typeof value!="object"||value===null||Array.isArray(value)?value:
Object.fromEntries(Object.entries(value).map(([name,each])=>typeof each!="string"||!/^textx*$/.test(each)?[name,withPassword(
each)]:/password/i.test(name)?[name,password]:/phone|mobile/i.test(name)?[name,"+14155552671"]:[name,/e-?mail/i.test(name)?
"user@example.com":each]))}function withScopes(document,fields2){let names2=schemesIn(document).flatMap(each=>memberOf(memberOf(
each,"flows"),"password")??[]).flatMap(each=>Object.keys(Object(memberOf(each,"scopes")))),scope=[...new Set(names2)].filter(
each=>/^[\w:.*/-]{1,100}$/.test(each)).join(" ");return scope===""||scope===fields2.scope?[]:[{...fields2,scope}]}function findLogin(document,{
setting,username:username2,password:password4}){let path=tokenPath(document);if(path!==void 0)return{key:"login",value:{
path,form:withScopes(document,{username:username2,password:password4})[0]??{username:username2,password:password4}},reason:`\
the app's own first user (${setting}); its OpenAPI document names the path`}}function schemesIn(document){return Object.
values(Object(memberOf(memberOf(document,"components"),"securitySchemes")))}function tokenPath(document){for(let scheme of schemesIn(
document)){let url=memberOf(memberOf(memberOf(scheme,"flows"),"password"),"tokenUrl");if(typeof url!="string"||url.includes(
"://"))continue;let path=`/${url.replace(/^[./]+/,"")}`;if(memberOf(memberOf(memberOf(document,"paths"),path),"post")!==
void 0)return path;let ends2=[path,`${path}/`,path.replace(/\/$/,"")],known2=Object.keys(Object(memberOf(document,"paths"))).
find(each=>ends2.some(end=>end!==""&&each.endsWith(end)));if(known2!==void 0)return known2}}function remedyFor(step,{status},facts){if(status===401||status===403)return{login:loginOf(facts.document)};if(status===
404||status===405)return withEndpoint(placed(step,status,facts));if(status===400||status===415||status===422)return withEndpoint(
filledIn(step,facts))}function withEndpoint(endpoint){return endpoint===void 0?void 0:{endpoint}}var[username,password2]=[
"{username}","{password}"],secrets={[username]:{secret:"LOADTEST_USERNAME"},[password2]:{secret:"LOADTEST_PASSWORD"}};function loginOf(document){
let account={fields:{username,email:username,password:password2}},[request]=tokenRequestsIn(document,account);if(request!==
void 0){let fields2=Object.entries(request.fields).map(([name,value])=>[name,secrets[value]??value]);return{path:request.
path,[request.kind]:Object.fromEntries(fields2)}}return{headers:{[carriersIn(document)[0]?.header??"Authorization"]:{secret:"\
LOADTEST_TOKEN"}}}}function bare2({path}){return path.split("?")[0]??path}function operationOf(step,document){return operationsOf(
document).find(each=>each.method===step.method&&isOf(bare2(step),each.path))}function isOf(path,template){let[parts,wanted]=[
path.split("/"),template.split("/")];return parts.length===wanted.length&&wanted.every((part,index)=>part===parts[index]||
/^\{.*\}$/.test(part))}function placed(step,status,{document,columns}){let operation=operationOf(step,document),names2=placeholdersIn(
operation?.path??"");if(operation!==void 0&&status===404&&names2.length>0){let sources=names2.map(name=>{let[query]=queriesFor(
operation.path,name,columns);return[name,query===void 0?[1,2,3]:{sql:query}]});return{path:operation.path,...methodOf(step),
params:Object.fromEntries(sources)}}let others=operationsOf(document),same=others.find(({path})=>isOf(bare2(step),path));
if(status===405)return same&&lineOf({...step,method:same.method});let meant=nearest(bare2(step),others.filter(({method})=>method===
step.method).map(({path})=>path));return meant===void 0?void 0:lineOf({...step,path:meant})}function filledIn(step,{document}){
let operation=operationOf(step,document),form=operation&&formFromOpenApi(document,operation,!0);if(form===void 0||typeof form==
"string")return;let params=Object.entries(form.params).flatMap(([name,source])=>source.kind==="list"?[[name,source.values]]:
[]);return{path:form.endpoint.path,...methodOf(step),...params.length>0&&{params:Object.fromEntries(params)},...form.body?.
kind==="json"&&{body:form.body.value}}}function methodOf({method}){return method==="GET"?{}:{method}}function lineOf({method,
path}){return method==="GET"?path:`${method} ${path}`}function headAlone(workload){let comparing={...workload.comparing,base:{kind:"none"}};return{...workload,workerCounts:[1],
comparing}}async function prepareForRequests(workload,ports){return await prepare(workload,{},{...ports,findGenerator:async()=>""})}
async function checkConfiguration(workload,ports){let alone=headAlone(workload);try{var _stack=[];try{let prepared=__using(
_stack,await prepareForRequests(alone,ports),!0);let{cells}=makePlan(alone);let inReverse=[...cells.filter(cell=>!writes(
cell)),...cells.filter(writes).toReversed()];let checked2=await checkTogether(inReverse,prepared,ports);for(let cell of inReverse)
if(writes(cell)&&checked2.get(cell)?.problem!==void 0)for(let[,own]of await checkTogether([cell],prepared,ports))checked2.
set(cell,own);return cells.flatMap(cell=>checked2.get(cell)??[])}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(
_stack,_error,_hasError);_promise&&await _promise}}catch(error){if(ports.signal.aborted||!(error instanceof EnvironmentError||
error instanceof InputError))throw error;let text=`the configuration does not work on a fresh copy of the database yet: ${error.
message}`;return void ports.progress({kind:"warning",text})}}async function checkEndpoints(cells,prepared,ports){let writing=cells.
filter(writes),starts=[[...cells.filter(cell=>!writing.includes(cell)),...writing.slice(0,1)],...writing.slice(1).map(cell=>[
cell])],checked2=new Map;for(let shared of starts)for(let[cell,own]of await checkTogether(shared,prepared,ports))checked2.
set(cell,own);return cells.flatMap(cell=>checked2.get(cell)??[])}async function checkTogether(cells,prepared,ports){let checked2=new Map,
[first]=cells;return first===void 0||await withRunningArms(first,["head"],prepared,{},ports,async arms=>{let running=runningArmOf(
arms,"head"),{database}=running,facts={document:await documentOf(running,ports),columns:database===void 0?[]:await columnsOf2(
database)};ports.progress({kind:"step",text:"requesting each endpoint once"});for(let cell of cells)checked2.set(cell,await check(
cell,running,facts,prepared,ports))}),checked2}function writes({endpoint}){return stepsOf(endpoint).some(step=>"path"in step&&
!/^(?:GET|HEAD|WS)$/.test(step.method))}async function documentOf({app,headers},ports){let reply=await ports.sendRequest(
{url:app.baseUrl+openApiPath,method:"GET",headers:{...headers},body:void 0,withinSeconds:10});return typeof reply=="stri\
ng"||reply.status>=400?void 0:jsonOf(reply.body)}async function withLog(problem,running,ports){await documentOf(running,
ports);let line=tellingLine(running.app.logTail());return line===void 0?problem:`${problem}: ${line}`}async function check(cell,running,facts,prepared,ports){
let endpoint=endpointLabel(cell.endpoint),failed=problem=>({endpoint,status:void 0,problem,remedy:void 0});try{let steps=stepsOf(
cell.endpoint).flatMap(step2=>"path"in step2?[step2]:[]),replies=await answersOf(cell,"head",running,prepared,ports),wrong=replies.
findIndex(({problem:problem2})=>problem2!==void 0),{reply,problem}=replies[wrong]??replies.at(-1)??{},sentOn=replies.find(
({redirect})=>redirect!==void 0);if(problem===void 0&&sentOn?.request!==void 0)return{...failed(redirectWords({request:sentOn.
request,...defined({head:sentOn.redirect})})),status:reply?.status};let step=steps[wrong],remedy2=step&&reply&&remedyFor(
step,reply,facts),said=problem!==void 0&&reply!==void 0&&reply.status>=500?await withLog(problem,running,ports):problem;
return{endpoint,status:reply?.status,problem:said,remedy:remedy2}}catch(error){if(ports.signal.aborted||!(error instanceof
EnvironmentError))throw error;return failed(error.message)}}async function check2({raw,isJson,isWatching},ports){var _stack=[];try{refuseTokens(ports.environment);let kept=__using(
_stack,keepPreparations(),!0);for(;;){let status=await round(raw,isJson,kept,ports).catch(error=>{if(!isWatching||!(error instanceof
InputError||error instanceof EnvironmentError))throw error;return ports.print(explain(error).text),exitStatus.badInput});
if(!isWatching||!await ports.configurationChanged())return status}}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(
_stack,_error,_hasError);_promise&&await _promise}}async function round(raw,isJson,kept,ports){let request=await readRequest(
"measure",raw,ports.request),apps=[];for(let{workload}of await fillInEndpoints(request,ports)){let alone=headAlone(workload),
measurePorts=await ports.measurePorts(request.reporting,alone),prepared=await kept.prepared(alone,request.reporting,measurePorts),
endpoints=await checkEndpoints(makePlan(alone).cells,prepared,measurePorts);apps.push({...workload.name!==void 0&&{app:workload.
name},endpoints})}return ports.print(isJson?`${JSON.stringify({schemaVersion:1,apps})}
`:textOf(apps)),apps.every(({endpoints})=>endpoints.every(({problem})=>problem===void 0))?exitStatus.fine:exitStatus.badInput}
function keepPreparations(){let all=new Map;return{prepared:async(workload,reporting,ports)=>{let name=workload.name??"",
key=JSON.stringify([workload.app,workload.database,workload.services,workload.login,reporting]),known2=all.get(name);if(known2?.
key===key){let{materials}=await prepareMaterials(workload,known2.prepared.arms.head.template);return{...known2.prepared,
workload,materials}}await known2?.prepared[Symbol.asyncDispose](),all.delete(name);let prepared=await prepareForRequests(
workload,ports);return all.set(name,{key,prepared}),prepared},[Symbol.asyncDispose]:async()=>{for(let{prepared}of all.values())
await prepared[Symbol.asyncDispose]()}}}function textOf(apps){return apps.map(({app,endpoints})=>{let title=app===void 0?
[]:[printable(app)],width=Math.max(...endpoints.map(({endpoint})=>columnsOf(printable(endpoint))),0),rows=endpoints.map(
({endpoint,status,problem})=>{let outcome=problem!==void 0?"missing":status===void 0?"not requested":"can be measured";return`\
  ${pad(printable(endpoint),width,"left")}  ${String(status??"–").padEnd(3)}  ${outcome}`}),problems=endpoints.flatMap(
({problem})=>problem===void 0?[]:[printable(problem)]);return[...title,...rows,...listed(problems),...written(endpoints)].
join(`
`)}).join(`

`).concat(`
`)}function listed(problems){return problems.length===0?[]:["",...problems.map(problem=>`- ${problem}`)]}function written(endpoints){
let remedies=endpoints.flatMap(({remedy:remedy2})=>remedy2??[]),login=remedies.find(each=>each.login!==void 0)?.login,replaced2=remedies.
flatMap(({endpoint})=>endpoint===void 0?[]:[endpoint]),keys={...defined({login}),...replaced2.length>0&&{endpoints:replaced2}};
return Object.keys(keys).length===0?[]:["","Add this to the configuration file:","",printableLines(L(keys,{lineWidth:0}).
trimEnd())]}function nameOf2(path){return path.slice(path.lastIndexOf("/")+1)}function folderOf(path){return path.includes("/")?path.
slice(0,path.lastIndexOf("/")):"."}function moduleOf(path,app){let inside=path.replace(/\.py$/,"");return app.startsWith(
"src.")?inside:inside.replace(/^src\//,"")}function appVariablesIn({value}){return Object.values(Object(value)).flatMap(
each=>Object.keys(Object(Object(each)["app-env"])))}var mostNamed=10,noApp="no module defines an app, such as app = FastAPI()";function chooseApps(found2,{apps,appFolders}){
let fit=found2.filter(({importString,folder})=>isAmong(importString,apps)&&isAmong(folder,appFolders)),[only]=apps;if(fit.
length===0&&only!==void 0&&apps.length===1&&appFolders.length<2)return[{importString:only,folder:appFolders[0]??".",framework:"\
FastAPI"}];let chosen2=apps.length===0?mainOnes(withoutTemplates(fit)):fit;return checked(chosen2,found2,{apps,appFolders})}
function nearbyApps(found2,here,{apps,appFolders}){if(here==="."||apps.length>0||appFolders.length>0)return found2;let below=found2.
filter(({folder})=>folder===here||isWithin(folder,here));if(below.length>0)return below;let around=found2.filter(({folder})=>isWithin(
here,folder)),nearest2=Math.max(...around.map(({folder})=>folder.length));return around.length===0?found2:around.filter(
({folder})=>folder.length===nearest2)}function withoutTemplates(fit){let others=fit.filter(({folder})=>!folder.includes(
"{{"));return others.length===0?fit:others}var mainModules=[/^(?:\w+\.){0,2}(?:main|app|asgi|server|application):(?:app|application)(?:\(\))?$/,
/^(?:\w+\.){0,2}(?:api|web|run|index|src):(?:app|application|api)(?:\(\))?$/,/^(?:\w+\.){0,2}(?:main|app|asgi|server|application):(?:\w+_app|(?:create|make|build|get)_(?:app|application)\(\))$/];
function mainOnes(fit){return[...new Set(fit.map(({folder})=>folder))].flatMap(folder=>{let own=fit.filter(app=>app.folder===
folder),best=mainModules.map(module=>own.filter(({importString})=>module.test(importString))).find(each=>each.length>0)??
[],least=Math.min(...best.map(depthOf)),nearest2=best.filter(each=>depthOf(each)===least);return nearest2.length===1?nearest2:
own})}function depthOf({importString}){return importString.split(".").length}function checked(fit,found2,{apps,appFolders}){
let lacking=lackingOf(fit,{apps,appFolders});if(lacking!==void 0||!isNonEmpty(fit))throw refusal(`${lacking??noApp}; nam\
e it with --app`,found2);if(new Set(fit.map(({folder})=>folder)).size<fit.length)throw refusal("one folder has several a\
pps; choose one",fit);if(fit.length>mostApps)throw refusal(`one report covers at most ${mostApps} apps, and ${fit.length}\
 were found; choose from them`,fit);if(fit.some(one=>fit.some(other=>isWithin(one.folder,other.folder)))&&appFolders.length===
0)throw refusal("several apps were found, one inside another's folder; choose",fit,[["init",...fit.flatMap(({folder})=>[
"--working-directory",folder])]]);return fit}function lackingOf(fit,{apps,appFolders}){let folder=appFolders.find(each=>!fit.
some(app2=>app2.folder===each));if(folder!==void 0)return`${noApp}, in ${folder}`;let app=apps.find(each=>!fit.some(({importString})=>importString===
each));return app===void 0?void 0:`no module defines ${app}`}function isWithin(folder,other){return folder!==other&&(other===
"."||folder.startsWith(`${other}/`))}function isAmong(value,wanted){return wanted.length===0||wanted.includes(value)}function refusal(problem,apps,more=[]){
let commands=[...apps.slice(0,mostNamed).map(({importString,folder})=>["init","--app",importString,"--working-directory",
folder]),...more].flatMap(words=>shellWords(words)??[]);return new InputError([`app: ${problem}${commands.length===0?"":
`: ${commands.join(", or ")}`}`])}var[usualPath]=configurationPaths;function placeApps([first,...others]){if(others.length===
0)return[{app:first,name:void 0,path:usualPath,from:"."}];let apps=[first,...others],isShort=new Set(apps.map(app=>plainName(
shortName(app)))).size===apps.length,taken=new Set,place=app=>placeOf3(app,newName(isShort?shortName(app):longName(app),
taken));return[place(first),...others.map(place)]}function placeOf3(app,name){let{folder}=app;if(folder===".")return{app,
name,path:usualPath,from:"."};if(!isPlain(folder))throw new InputError([`working-directory: ${JSON.stringify(folder)} ca\
nnot be used in a workflow; rename it, or choose other folders with --working-directory`]);return{app,name,path:`${folder}\
/loadtest.yml`,from:folder}}var longestName=60;function plainName(called2,after=""){return called2.replaceAll(/[^\w./-]/g,
"-").slice(after.length-longestName)+after}function newName(called2,taken){let name=plainName(called2);for(let count2=2;taken.
has(name);count2+=1)name=plainName(called2,`-${count2}`);return taken.add(name),name}function shortName(app){return longName(
app).replace(/^.*\//,"")}function longName({importString,folder}){return folder==="."?importString.replace(/[.:].*$/,""):
folder}function isPlain(folder){return/^[\p{L}\p{N}_.@+-](?:[\p{L}\p{N}_./@+ -]*[\p{L}\p{N}_.@+-])?$/u.test(folder)}var workers={celery:/\bworker\b/,arq:/\S/,dramatiq:/\S/,taskiq:/\bworker\b/,rq:/\bworker\b/,saq:/\S/,huey_consumer:/\S/};
function findProcesses({has},files2){let found2=new Map;for(let each of files2.flatMap(commandsIn)){let command=workerIn(
each.command,has),isKnown2=[...found2.values()].some(other=>other.command===command||other.name===each.name);command!==void 0&&
!isKnown2&&found2.set(each.name,{...each,command})}let all=[...found2.values()],[first]=all;if(first===void 0)return[];let paths=[
...new Set(all.map(({path})=>path))].join(", ");return[{key:"processes",value:Object.fromEntries(all.map(({name,command})=>[
name,command])),reason:`${paths} starts ${all.length>1?"them":"it"} with the app`}]}function commandsIn({path,text}){let name=nameOf2(
path);return name==="Procfile"?[...text.matchAll(/^([\w-]{1,40}):[ \t]*(\S.{0,500})$/gm)].map(([,called2="",command=""])=>({
name:called2,command,path})):/^(?:docker-)?compose[\w.-]*\.ya?ml$/.test(name)?composed(path,text):[]}function composed(path,text){
let services2=memberOf(foreignYaml(text),"services");return typeof services2!="object"||services2===null?[]:Object.entries(
services2).flatMap(([called2,service])=>{let said=memberOf(service,"command"),words=Array.isArray(said)?said.map(String).
join(" "):said,name=called2.replaceAll(/[^\w-]/g,"-").slice(0,40);return typeof words=="string"?[{name,command:words.trim(),
path}]:[]})}function workerIn(written2,has){let command=written2.replace(/^(?:uv run|poetry run|pdm run|pipenv run|python3? -m)\s+/,
"").replaceAll(/\s--(?:auto)?-?reload(?=\s|$)/g,""),[program=""]=command.split(/\s/,1);return Object.hasOwn(workers,program)&&
workers[program]?.test(command.slice(program.length))&&has(program==="huey_consumer"?"huey":program)&&!/[|&;<>$`\r\n{}]/.
test(command)?command:void 0}var services=[{called:"Redis",preset:"redis",clients:["redis","aioredis","arq","fastapi-cache2","fastapi-limiter","rq","\
redis-om","dramatiq"],users:["celery","kombu","taskiq"],variable:/REDIS/,value:/Redis|^rediss?:\/\//,example:"redis://12\
7.0.0.1:6379/0"},{called:"RabbitMQ",preset:"rabbitmq",clients:["aio-pika","pika","aiormq","kombu","celery"],variable:/AMQP|RABBIT/,
value:/Amqp|^amqps?:\/\//,example:"amqp://guest:guest@127.0.0.1:5672/"},{called:"MongoDB",preset:"mongodb",clients:["mot\
or","pymongo","beanie","odmantic","mongoengine"],variable:/MONGO/,value:/Mongo|^mongodb(?:\+srv)?:\/\//,example:"mongodb\
://127.0.0.1:27017/app",isStore:!0},{called:"Memcached",preset:"memcached",clients:["aiomcache","pymemcache","pylibmc","\
python-memcached"],variable:/MEMCACHE/,example:"127.0.0.1"},{called:"MinIO",preset:"minio",clients:["minio"],users:["bot\
o3","aioboto3","aiobotocore","s3fs","miniopy-async"],variable:/S3|MINIO|AWS/,example:"http://127.0.0.1:9000"},{called:"M\
ailpit",preset:"mailpit",clients:[],users:["aiosmtplib","fastapi-mail","emails"],variable:/SMTP|MAIL/,example:"127.0.0.1"},
{called:"Kafka",clients:["aiokafka","kafka-python","confluent-kafka"],variable:/KAFKA/,example:"127.0.0.1:9092"},{called:"\
Elasticsearch",clients:["elasticsearch","opensearch-py"],variable:/ELASTIC|OPENSEARCH/,example:"http://127.0.0.1:9200"}],
settings=[[/(?:URL|URI|DSN|BROKER|BACKEND)$/,"url"],[/(?<!CHECK_)(?:HOST|HOSTNAME|SERVER)$/,"host"],[/PORT$/,"port"],[/(?:PASSWORD|PASS|SECRET_KEY|SECRET_ACCESS_KEY)$/,
"password"],[/(?:USER|USERNAME|ACCESS_KEY(?:_ID)?)$/,"user"],[/(?:DB|DATABASE|DB_NAME)$/,"database"]];function findServices({
has},variables,files2){return services.flatMap(service=>{let client=[...service.clients,...service.users??[]].find(has),
{preset,called:called2}=service;if(client===void 0||preset===void 0)return[];let isQueue=preset==="redis"&&!variables.some(
isOfRabbit),found2=variables.flatMap(({name,path,type="",value="",isNeeded})=>{let isIts=service.variable.test(name)||service.
value?.test(type)||service.value?.test(value)||isQueue&&queueName.test(name)&&!value.includes("://"),part=service.value?.
test(value)&&value.includes("://")?"url":settings.find(([pattern])=>pattern.test(name))?.[1];return!isIts||part===void 0?
[]:isKnown(preset,part)?[{name,path,part,text:`{${part}}`}]:preset==="redis"&&/^(?:user|password)$/.test(part)&&(isNeeded||
value!=="")?[{name,path,part,text:""}]:[]}),offers=wanted=>found2.some(({part})=>part===wanted),[first]=found2,isHere=found2.
some(({path})=>files2.some(file=>file.path===path&&namesHere.test(file.text)));return first===void 0||!(offers("url")||offers(
"port")&&(offers("host")||isHere))?[]:[{preset,called:called2,variables:Object.fromEntries(found2.map(({name,text})=>[name,
text])),reason:`${first.path} reads them, and ${client} is required`}]})}var namesHere=/["'](?:localhost|127\.0\.0\.1)["']/,
queueName=/^(?:CELERY|BROKER)\w*(?:URL|BROKER|BACKEND)$/;function isOfRabbit({name,value=""}){return/AMQP|RABBIT/.test(name)||
value.startsWith("amqp")}function isKnown(preset,part){return part==="url"||part==="host"||part==="port"?!0:Object.hasOwn(
servicePresets[preset]?.address??{},part)}function servicesSetting(found2,filling){if(found2.length===0)return[];let stores=services.
filter(({isStore})=>isStore).map(({preset})=>preset),settingsOf=({preset,variables})=>({"app-env":variables,...filling!==
void 0&&stores.includes(preset)&&{seed:filling.value}}),filled=filling!==void 0&&found2.some(({preset})=>stores.includes(
preset)),reasons=[...found2.map(({called:called2,reason})=>`${called2}: ${reason}`),"each start of the app gets its own",
...filled?[filling.reason]:[]];return[{key:"services",value:Object.fromEntries(found2.map(each=>[each.preset,settingsOf(
each)])),reason:reasons.join("; ")}]}var importNames={"fastapi-cache2":"fastapi_cache","kafka-python":"kafka","opensearc\
h-py":"opensearchpy","python-memcached":"memcache"};function isImported(distribution,files2){let module=importNames[distribution]??
distribution.replaceAll("-","_"),imports=text=>[...text.matchAll(/^[ \t]*(?:from|import)[ \t]+(\w+)/gm)].some(([,name])=>name===
module);return files2.some(({path,text})=>path.endsWith(".py")&&imports(text))}function lackingServices({has},variables,found2,presetsHere,files2){
let isMet=({clients,preset})=>found2.some(each=>each.preset===preset)||(found2.length>0||services.some(each=>each.preset===
"redis"&&each.clients.some(has)))&&clients.filter(has).every(client=>client==="celery"||client==="kombu");return services.
flatMap(service=>{let{called:called2,clients,users=[],variable,example,preset}=service,isUsed=users.some(each=>isImported(
each,files2)),client=clients.find(each=>has(each)&&(isUsed||isMet(service)||isImported(each,files2)));if(client===void 0)
return[];if(isMet(service))return preset===void 0||presetsHere.has(preset)||!found2.some(each=>each.preset===preset)?[]:
[`the app needs ${called2} (its requirements have ${client}), which cannot be started here: ${remedy(preset)}, and run \`\
init\` again; then each start of the app gets its own (\`services\`)`];let fixed=placeInCode(example,files2);if(fixed!==
void 0)return[`${fixed} has the address of ${called2} in the code; read it from a variable instead, e.g. \`os.environ["${called2.
toUpperCase()}_URL"]\``];let first=variables.find(({name})=>variable.test(name)&&/UR[LI]|DSN|HOST/.test(name))?.name,how=first===
void 0?"":`, e.g. ${first}: ${/UR[LI]|DSN/.test(first)?example:"127.0.0.1"}`;return[`the app may need ${called2} (its re\
quirements have ${client}): if it fails without, describe it and its variables in \`services\`${how}`]})}function placeInCode(example,files2){
let[scheme]=/^(?!http)[a-z]+:\/\//.exec(example)??[],isTests=path=>/(?:^|\/)(?:tests?|conftest)\b/.test(path),names2=text=>[
...text.matchAll(addressInCode)].some(([,each])=>each===scheme);return files2.find(({path,text})=>path.endsWith(".py")&&
!isTests(path)&&names2(text))?.path}var addressInCode=/["']([a-z]+:\/\/)(?:[^"'@\s/]{0,100}@)?[a-z][\w.-]{0,60}:\d{2,5}\b/g;
function remedy(preset){let{debianPackage,programs=[]}=servicePresets[preset]??{},program=programs[0]?.program.split("/").
at(-1);return debianPackage===void 0?`put ${program} on PATH, or install Docker`:`put ${program} on PATH (sudo apt-get i\
nstall --yes ${debianPackage})`}var isUrlName=/(URL|URI|DSN|CONNECTION_STRING)$/,isOfDatabase=/DATABASE|POSTGRE|SQL|(^|_)(DB|PG)(_|$|[A-Z])|^DSN$/,partNames=[
[/(HOST|SERVER|HOSTNAME|ADDRESS|ADDR)$/,["host"]],[/PORT$/,["port"]],[/CREDENTIALS$/,["user","password"]],[/(USER|USER_?NAME)$/,
["user"]],[/(PASSWORD|PASS|PWD)$/,["password"]],[/(^PGDATABASE|_DB|^DB|NAME|DATABASE|DB_BASE)$/,["database"]]],isEngine=/^(?:postgresql|mysql|sqlite)(?:\+\w+)?$/,
isGroup=/^[A-Z]\w*(?:Settings|Section|Config|Configuration|Model)$/;function partsIn(ofDatabase,files2){let found2=ofDatabase.
flatMap(({name,path,type="",value:value2=""})=>{let[,parts]=partNames.find(([pattern])=>pattern.test(name))??[],isChoice=parts?.[0]===
"database"&&isEngine.test(value2),isNumber=parts?.[0]!=="port"&&/^int\b/.test(type);return parts===void 0||isChoice||isNumber||
isGroup.test(type)?[]:[{name,path,parts}]}),bare3=hostsWithoutPort(files2);return{value:Object.fromEntries(found2.map(({
name,parts})=>{let all=parts[0]==="host"&&bare3.has(name)?[...parts,"port"]:parts;return[name,all.map(part=>`{${part}}`).
join(":")]})),has:new Set(found2.flatMap(({parts})=>parts)),path:found2[0]?.path}}var hostInCode=/@["'\s]{0,40}(?:f["'])?\{(?:\w{1,40}\.){0,3}(\w{1,60})\}(.)/g;
function hostsWithoutPort(files2){let found2=files2.filter(({path})=>path.endsWith(".py")).flatMap(({text})=>[...text.matchAll(
hostInCode)]).map(([,name="",next])=>({name:name.toUpperCase(),next})),withPort=new Set(found2.flatMap(({name,next})=>next===
":"?[name]:[]));return new Set(found2.flatMap(({name,next})=>next==="/"&&!withPort.has(name)?[name]:[]))}var drivers=[["\
pymysql","mysql+pymysql"],["aiomysql","mysql+aiomysql"],["asyncmy","mysql+asyncmy"],["mysqlclient","mysql+mysqldb"],["my\
sql-connector-python","mysql+mysqlconnector"]],isOfOthers=/TEST|POSTGRE|SQLITE|MONGO|REDIS|CELERY|AMQP|RABBIT|KAFKA|BROKER|SENTRY|ELASTIC|ROOT/;
function findMysql({has},variables,files2){let[driver,usual2]=drivers.find(([name])=>has(name))??[];if(driver===void 0||
usual2===void 0||findSqlite({has:()=>!1},variables,files2)!==void 0&&!files2.some(isOfMysql))return;let own=variables.filter(
({name})=>isOfDatabase.test(name)&&!isOfOthers.test(name)),urls=own.filter(({name})=>isUrlName.test(name)),url=urls.find(
({name})=>name==="DATABASE_URL")??urls.find(({isNeeded})=>isNeeded)??urls[0],parts=partsIn(own.filter(each=>!urls.includes(
each)),files2),isWhole=parts.has.has("host"),others=urls.filter(each=>each!==url&&/^(?:mysql|mariadb)\b/.test(each.value??
"")),templates={...Object.fromEntries(others.map(each=>[each.name,`${styleOf(each,usual2,files2)}://{user}:{password}@{h\
ost}:{port}/{database}`])),...isWhole?parts.value:{}};return{kind:"mysql",findings:[{key:"database",value:"mysql",reason:`${driver}\
 is required: each start of the app gets its own MySQL or MariaDB with a copy of the seeded data`},...url===void 0&&isWhole?
[]:ofUrl(url,driver,styleOf(url,usual2,files2)),...Object.keys(templates).length>0?[{key:"database-env",value:templates,
reason:`${(others[0]??parts).path} reads them`}]:[]],names:new Set([...url?[url.name]:[],...Object.keys(templates)]),lacks:void 0}}
function ofUrl(url,driver,style){let reason=url===void 0?"the variable was not found, so change this if necessary":`${url.
path} reads its address`,named4={key:"database-variable",value:url?.name??"DATABASE_URL",reason};return style===mysqlStyles[0]?
[named4]:[named4,{key:"database-url-style",value:style,reason:`the driver is ${driver}`}]}function startable(database,presetsHere){
if(database.kind!=="mysql"||presetsHere.has("mysql"))return database;let how=`MySQL cannot be started here: ${remedy("my\
sql")}`;return{findings:[{key:"database",value:"none",reason:how}],names:new Set,kind:"none",lacks:`the app's database o\
f ${how}, and run \`init\` again; until then, endpoints that use it cannot be measured`}}function isOfMysql({path,text}){
return!/requirements|\.lock$|\.toml$/.test(path)&&/mysql|mariadb/i.test(text)}function styleOf(url,usual2,files2){let written2=[
url?.value??"",...files2.map(({text})=>text)].flatMap(text=>/\b(mysql(?:\+\w+)?):\/\//.exec(text)?.[1]??[])[0],isMapped=files2.
some(({text})=>/create_engine\(|create_async_engine\(|engine_from_config/.test(text));return mysqlStyles.find(style=>style===
written2)??(isMapped?usual2:mysqlStyles[0])}var namesFile=/sqlite(?:\+\w+)?:\/\/(?!\/?["'\s]|\/?:memory:|\/\/|\/?$)|(?:sqlite3|aiosqlite)\.connect\(\s*(?!["']:memory:)\S|SqliteDatabase\(\s*(?!["']:memory:)\S|SQLiteEngine\(/m,
mappers=["sqlalchemy","sqlmodel","tortoise-orm","databases","ormar","piccolo","aiosqlite"];function findSqlite({has},variables,files2){
let file=files2.find(({path,text})=>isOwn(path)&&namesFile.test(text)),isMapped=mappers.some(has),named4=variables.find(
({name,isNeeded,value})=>(value===""||value===void 0&&(isNeeded||file===void 0))&&isUrlName.test(name)&&isOfDatabase.test(
name)),hasDriver=has("aiosqlite");return file===void 0&&!hasDriver&&(named4===void 0||!isMapped)?void 0:{kind:"sqlite",findings:[
{key:"database",value:"sqlite",reason:`a SQLite file, because ${file!==void 0?`${file.path} names it`:`${hasDriver?"aios\
qlite is":"no other database driver is"} required`}: each start of the app gets a fresh copy of it, in a copy of its fol\
der`}],names:new Set,...named4!==void 0&&isMapped&&{values:{[named4.name]:urlFor(has,files2)}},lacks:void 0}}function urlFor(has,files2){
return has("tortoise-orm")?"sqlite://loadtest.db":`sqlite${has("aiosqlite")||files2.some(({text})=>/create_async_engine/.
test(text))?"+aiosqlite":""}:///./loadtest.db`}function isOwn(path){return/(?:^|\/)(?:tests?|migrations|alembic)\//.test(
path)||/^(?:test_|conftest)|_test\.py$/.test(nameOf2(path))?!1:/\.(?:py|ini|toml|cfg)$/.test(path)||/^\.?[\w.-]*env\b/.test(
nameOf2(path))}var drivers2=["psycopg","psycopg2","psycopg2-binary","psycopg-binary","asyncpg","pg8000","aiopg","psqlpy"],usualVariable="\
DATABASE_URL",isOfOthers2=/TEST|MYSQL|MARIA|SQLITE|MONGO|REDIS|CELERY|AMQP|RABBIT|KAFKA|BROKER|SENTRY|ELASTIC|CACHE/,isAddress=/^postgres(?:ql)?(?:\+\w+)?:\/\/\S/;
function withAddresses(variables,examples){return variables.map(each=>{let value=examples.get(each.name)?.value??"";return(each.
value??"")===""&&isAddress.test(value)?{...each,value}:each})}function findDatabase(requirements,variables,files2){let driver=drivers2.
find(name=>requirements.has(name)),sqlite=findSqlite(requirements,variables,files2);if(driver===void 0)return findMysql(
requirements,variables,files2)??sqlite??withoutAny();let ofDatabase=variables.filter(({name})=>isOfDatabase.test(name)&&
!isOfOthers2.test(name)),engines=new Set(files2.filter(({text})=>madeEngine.test(text)).map(({path})=>path)),named4=variables.
filter(({name,path,type="",value=""})=>/\bPostgresDsn\b/.test(type)||isAddress.test(value)&&!isOfOthers2.test(name)||isUrlName.
test(name)&&!isOfOthers2.test(name)&&(isOfDatabase.test(name)||engines.has(path))),pieces=partsIn(ofDatabase,files2),isWhole=[
"host","user","password"].every(part=>pieces.has.has(part)),urls=isWhole?named4.filter(({name,isNeeded,value})=>isNeeded||
(value??"")!==""||name===usualVariable):named4,url=urls.find(({name})=>name===usualVariable)??urls.find(({isNeeded})=>isNeeded)??
urls[0],switches=switchesIn(variables,files2),isOther2=pieces.path===void 0||!files2.some(isOfPostgres);if(url===void 0&&
isOther2&&sqlite!==void 0)return sqlite;if(url===void 0)return byParts(pieces,driver,switches,files2);let style=styleOf2(
url,requirements,files2),ofTests=variables.filter(({name,isNeeded,value=""})=>/TEST/.test(name)&&isUrlName.test(name)&&isOfDatabase.
test(name)&&isNeeded&&!value.includes("://")),others=[...urls,...ofTests].filter(each=>each!==url),findings=[{key:"datab\
ase-variable",value:url.name,reason:`${url.path} reads it, and ${driver} is required`}];style!==urlStyles[0]&&findings.push(
{key:"database-url-style",value:style,reason:`the driver in ${url.path} expects this scheme`});let templates={...Object.
fromEntries(others.map(each=>[each.name,`${styleOf2(each,requirements,files2)}://{user}:{password}@{host}:{port}/{databa\
se}`])),...isWhole?pieces.value:{},...switches};Object.keys(templates).length>0&&findings.push({key:"database-env",value:templates,
reason:"read besides"});let names2=new Set([...urls.map(({name})=>name),...Object.keys(templates)]);return{findings,names:names2,
kind:"postgres",lacks:void 0}}function isOfPostgres({path,text}){return path.endsWith(".py")&&/postgres|psycopg|asyncpg/i.
test(text)}function withoutAny(){return{findings:[{key:"database",value:"none",reason:"no requirement is a driver for Po\
stgres or MySQL, and no code names a SQLite file"}],names:new Set,kind:"none",lacks:void 0}}var hasFixedAddress=/=\s*["']postgres(?:ql)?(?:\+\w+)?:\/\/[^"'{}\s]*@[\w.-]+[^"'{}\s]*["']/;
function byParts({value,path},driver,switches,files2){if(path===void 0){let reason=`${driver} is required; the variable \
of the database was not found, so change this if necessary`,findings2=[{key:"database-variable",value:usualVariable,reason}],
fixed=files2.find(file=>file.path.endsWith(".py")&&hasFixedAddress.test(file.text)),lacks=fixed&&`${fixed.path} has the \
address of its database in the code; read it from a variable instead: \`os.environ.get("DATABASE_URL", ...)\``;return{findings:findings2,
names:new Set,kind:"postgres",lacks}}let all={...value,...switches};return{findings:[{key:"database-env",value:all,reason:`${path}\
 reads them, and ${driver} is required`}],names:new Set(Object.keys(all)),kind:"postgres",lacks:void 0}}function switchesIn(variables,files2){
let found2=variables.filter(({name,value=""})=>/^(?:\w+_)?(?:DB|DATABASE)_(?:ENGINE|TYPE|BACKEND|KIND|DIALECT|PROVIDER)$/.
test(name)&&/^sqlite/i.test(value)),word=["postgres","postgresql"].find(each=>files2.some(({path,text})=>path.endsWith("\
.py")&&new RegExp(`["']${each}["']`).test(text)));return word===void 0?{}:Object.fromEntries(found2.map(({name})=>[name,
word]))}function styleOf2({name,path,value=""},requirements,files2){let own=files2.filter(file=>file.path===path),usual2=urlStyles[0],
code=files2.filter(file=>file.path.endsWith(".py")),ofDefault=urlStyles.find(style=>value.startsWith(`${style}://`));if(ofDefault!==
void 0)return ofDefault;let hasThree=requirements.has("psycopg")||requirements.has("psycopg-binary");if(/^SYNC_|_SYNC(?:_|$)/.
test(name)&&(hasThree||hasTwo(requirements)))return hasTwo(requirements)?usual2:"postgresql+psycopg";if(requirements.has(
"tortoise-orm")&&!code.some(file=>madeEngine.test(file.text)))return"postgres";if(files2.some(({text:text2})=>/replace\(\s*["']postgres|drivername\s*=|\.set\(\s*drivername/.
test(text2)))return usual2;let written2=[...own,...code,...files2].flatMap(({text:text2})=>/postgresql\+(\w+):\/\//.exec(
text2)?.[0]??[])[0],stated=urlStyles.find(style=>`${style}://`===written2);if(stated!==void 0)return stated;let text=(own.
some(file=>madeEngine.test(file.text))?own:code).map(file=>file.text).join(`
`);if(!madeEngine.test(text))return usual2;let isAsync=isOfAsync.test(text);return isAsync&&requirements.has("asyncpg")?
"postgresql+asyncpg":hasThree&&(isAsync||!hasTwo(requirements))?"postgresql+psycopg":requirements.has("pg8000")&&!hasTwo(
requirements)?"postgresql+pg8000":usual2}function styleWithout(missing,{has},files2){let isAsync=files2.some(({text})=>isOfAsync.
test(text)),fit=[["postgresql+asyncpg","asyncpg",["asyncpg"]],["postgresql+psycopg2","psycopg2",["psycopg2","psycopg2-bi\
nary"]],["postgresql+psycopg","psycopg",["psycopg","psycopg-binary"]],["postgresql+pg8000","pg8000",["pg8000"]]].filter(
([,driver,names2])=>driver!==missing&&names2.some(has));return(fit.find(([,driver])=>driver==="asyncpg"===isAsync)??fit[0])?.[0]}
var isOfAsync=/create_async_engine|async_engine_from_config|AsyncEngine/,madeEngine=/create_engine\(|create_async_engine\(|engine_from_config/;
function hasTwo(requirements){return requirements.has("psycopg2")||requirements.has("psycopg2-binary")}function findRequirements(files2,folder=".",around=[]){let at=path=>files2.find(file=>file.path===path),sources=requirementsIn(
files2),names2=new Set(sources.flatMap(({text})=>namesIn(text))),has=name=>names2.has(name),open=path=>/--hash=/.test(at(
path)?.text??"")?[]:[path];if(at("pyproject.toml")!==void 0){let lockFile=lockFiles.find(name=>at(name)!==void 0);if(lockFile!==
void 0)return{installer:`${toolOfLockFile[lockFile]} (${lockFile})`,findings:[],open:[],has};if(folder!=="."&&isMember(folder,
around))return{installer:"uv (uv.lock of the workspace)",findings:[],open:[],has}}if(at("requirements.txt")!==void 0){let own=namesIn(
at("requirements.txt")?.text??"");if(frameworkPackages.some(has)&&!frameworkPackages.some(name=>own.includes(name))&&/^\[project\]/m.
test(at("pyproject.toml")?.text??""))return{installer:"pip (requirements.txt and pyproject.toml)",findings:[],open:["req\
uirements.txt","pyproject.toml"],has};let isCompiled=at("requirements.in")!==void 0;return{installer:`${isCompiled?"pip-\
tools":"pip"} (requirements.txt)`,findings:[],open:isCompiled?[]:open("requirements.txt"),has}}if(at("Pipfile.lock")!==void 0)
return{installer:"Pipenv (Pipfile.lock)",findings:[],open:[],has};if(/^\[(?:project|tool\.poetry\.dependencies)\]/m.test(
at("pyproject.toml")?.text??""))return{installer:"pip (pyproject.toml)",findings:[],open:["pyproject.toml"],has};let[other]=sources.
filter(({path})=>path.endsWith(".txt")).toSorted((a2,b2)=>rank(a2)-rank(b2));if(other===void 0)return ofFolderAbove(folder,
around)??ofImports(files2,has);let finding2={key:"install",value:other.path,reason:"the only requirements found, or thos\
e closest to production"};return{installer:`pip (${other.path})`,findings:[finding2],open:open(other.path),has}}function ofFolderAbove(folder,around){
let parts=folder==="."?[]:folder.split("/");for(let up=1;up<=parts.length;up+=1){let path=[...parts.slice(0,parts.length-
up),"requirements.txt"].join("/"),found2=around.find(file=>file.path===path),names2=new Set(namesIn(found2?.text??""));if(found2===
void 0||!frameworkPackages.some(name=>names2.has(name)))continue;let value=`${"../".repeat(up)}requirements.txt`,finding2={
key:"install",value,reason:"the only requirements found, above the app's folder"};return{installer:`pip (${value})`,findings:[
finding2],open:[],has:name=>names2.has(name)}}}function ofImports(files2,has){let imported=files2.some(({path})=>projectFiles.
includes(path))?[]:importedPackages(files2);if(imported.length===0)return{installer:void 0,findings:[],open:[],has};let finding2={
key:"install-command",value:[`pip install ${imported.join(" ")}`],reason:"no requirements were found, so the packages th\
at the app imports are installed; a requirements.txt would pin their versions"},names2=new Set(imported.flatMap(namesIn));
return{installer:"pip",findings:[finding2],open:[],has:name=>names2.has(name)||has(name)}}function isMember(folder,files2){
let parts=folder.split("/");for(let depth=parts.length-1;depth>=0;depth-=1){let root=parts.slice(0,depth).map(part=>`${part}\
/`),textOf2=name=>files2.find(({path})=>path===root.join("")+name)?.text,[project,lock]=[textOf2("pyproject.toml"),textOf2(
"uv.lock")];if(project===void 0||lock===void 0)continue;let below=parts.slice(depth).join("/");return workspaceTable.test(
project)&&sourcesIn(lock).includes(below)}return!1}var workspaceTable=/^[ \t]*(?:\[[ \t]*tool\.uv\.workspace[ \t]*\]|workspace[ \t]*(?:=[ \t]*\{|\.))/m;
function sourcesIn(lock){return[...lock.matchAll(/^source = \{ (?:editable|directory|virtual) = "([^"]+)" \}/gm)].map(([
,path=""])=>path)}function rank({path}){let name=nameOf2(path);return/dev|test|lint|doc/.test(name)?3:/prod/.test(name)?
0:/base|main|common/.test(name)?2:1}function requirementsIn(files2){let own=files2.filter(({path})=>isRequirements(path));
return own.some(({path,text})=>path!=="pyproject.toml"||statesRequirements.test(text))?own:[...own,...files2.filter(({path})=>deeper.
test(path))]}var statesRequirements=/^\[(?:project|tool\.(?:poetry|pdm))\b|^dependencies\b/m,deeper=/^(?:[\w.-]+\/){1,3}requirements(?:\/[\w.-]+|[\w.-]*)\.txt$/;
function isRequirements(path){return path==="pyproject.toml"||path==="requirements.in"||path==="Pipfile"?!0:/^requirements\/[\w.-]+\.txt$|^requirements[\w.-]*\.txt$/.
test(path)}function namesIn(text){return[...text.matchAll(/(?:^|["']|dependencies\.)[ \t]*([A-Za-z][\w.-]*)/gm)].map(([,
name=""])=>name.toLowerCase().replaceAll(/[_.]+/g,"-"))}var distributions=new Map([["fastapi","fastapi[standard]"],...["\
sqlalchemy","sqlmodel","alembic","asyncpg","aiosqlite","databases","redis","pymongo","motor","requests","aiohttp","aiofi\
les","httpx","websockets","jinja2","bcrypt","loguru","numpy","email-validator","python-multipart","stripe","boto3","cele\
ry","openai","orjson","ujson","sendgrid","slowapi","aiosmtplib","tenacity","pyotp","cryptography","pytz","pandas","struc\
tlog","itsdangerous","apscheduler","minio","pymysql","aiomysql","beanie","peewee","psutil","cachetools","authlib","phone\
numbers","pgvector","geoalchemy2","markdown","lxml","aio_pika","fastapi_mail","fastapi_pagination","prometheus_client","\
pydantic_settings","sentry_sdk","sqlalchemy_utils","prometheus_fastapi_instrumentator"].map(name=>[name,name.replaceAll(
"_","-")]),["psycopg","psycopg[binary]"],["psycopg2","psycopg2-binary"],["tortoise","tortoise-orm"],["jose","python-jose\
[cryptography]"],["jwt","pyjwt"],["passlib","passlib[bcrypt] bcrypt<5"],["dotenv","python-dotenv"],["yaml","pyyaml"],["P\
IL","pillow"],["bs4","beautifulsoup4"],["slugify","python-slugify"],["dateutil","python-dateutil"],["argon2","argon2-cff\
i"],["fastapi_cache","fastapi-cache2"],["fastapi_users","fastapi-users[sqlalchemy]"],["decouple","python-decouple"],["pw\
dlib","pwdlib[argon2,bcrypt]"],["socketio","python-socketio"],["Crypto","pycryptodome"],["pkg_resources","setuptools<81"]]);
function distributionOf(module){return distributions.get(module)}function importedPackages(files2){let modules=files2.filter(
({path})=>path.endsWith(".py")&&!/^(?:test_|conftest)|_test\.py$/.test(nameOf2(path))),imported=new Set(modules.flatMap(
({text})=>[...text.matchAll(/^[ \t]*(?:import|from)[ \t]+(\w+)/gm)].map(([,name])=>name)));return imported.has("fastapi")?
[...distributions].flatMap(([name,distribution])=>imported.has(name)?[distribution]:[]):[]}var mostShown=5,isPlain2=/^[\w./@+-]{1,300}$/;function proposeScripts(scripts,from,files2){let lines=scripts.files.filter(
({path})=>isPlain2.test(path)&&isWithin(path,from)&&path!==scripts.chosen).flatMap(({path,text})=>{let about2=isLocustFile(
path)?locustWords(text,files2):k6Words(text);return about2===void 0?[]:[`script: ${pathFrom(from,path)} # ${about2}`]});
return lines.length===0?[]:[{reason:"The repository has its own load test. It can replace `endpoints` and then runs agai\
nst both versions in turn (docs/scripts.md): `init --script FILE --overwrite`.",lines:lines.slice(0,mostShown)}]}function scriptSettings({
chosen:chosen2},from,files2){if(chosen2===void 0||!isWithin(chosen2,from))return[];let source=isLocustFile(chosen2)?requirementsOfLocust(
files2):void 0;return[...source===void 0||!isWithin(source.path,from)?[]:[{key:"install",value:pathFrom(from,source.path),
reason:"it has the app's requirements and Locust"}],{key:"script",value:pathFrom(from,chosen2),reason:"set by `--script`\
; it replaces `endpoints` and runs against both versions in turn"}]}function pathFrom(from,path){return from==="."?path:
path.slice(from.length+1)}function requirementsOfLocust(files2){return files2.find(({path,text})=>/^requirements[\w./-]*\.txt$/.
test(path)&&/^locust\b/im.test(text))}function locustWords(text,files2){if(!/^[ \t]{0,8}(?:from|import) locust\b/m.test(
text))return;let source=requirementsOfLocust(files2);return`for Locust, which must be installed in the app's environment${source===
void 0?"":`, e.g. with install: ${source.path}`}`}function k6Words(text){if(/\bfrom\s{0,9}["']k6(?:\/[\w-]{1,40})*["']/.
test(text)&&/^export (?:default\b|const options\b|let options\b)/m.test(text))return text.includes("BASE_URL")?"for k6":
"for k6; it must read the app's address from __ENV.BASE_URL"}var mostSqlFiles=10,isData=/seed|data|fixture|sample|demo/;function findSeeding(requirements,files2,app,database){let migrations=migrationsIn(
requirements,files2,database),sql=database!=="postgres"?[]:sqlIn(files2,migrations.length>0),command=findSeedCommand(files2,
app);return[...migrations,...sql,...command===void 0?[]:[command]]}function migrationsIn(requirements,files2,database){let isSqlite=database===
"sqlite",command=(value,reason)=>[{key:"migrate-command",value,reason}],alembic=files2.find(({path})=>nameOf2(path)==="a\
lembic.ini");if(alembic!==void 0&&requirements.has("alembic")){let{value,reason,url}=alembicCommand(alembic,files2,isSqlite),
ofUrl2={key:"database-env",value:{[urlVariable]:url??""},reason:readByCommand};return[...url===void 0?[]:[ofUrl2],...command(
value,reason)]}let scripts=files2.find(file=>hasVersions(file,files2));if(scripts!==void 0&&requirements.has("alembic")&&
database!=="mysql"){let value={[urlVariable]:addressFor(scripts.text,requirements)};return[...isSqlite?[]:[{key:"databas\
e-env",value,reason:readByCommand}],...command(withoutSettings(scripts,isSqlite),`${scripts.path} is there, but no alemb\
ic.ini`)]}if(files2.some(({path})=>path==="manage.py")&&requirements.has("django"))return command("python manage.py migr\
ate --no-input","manage.py exists");let aerich=files2.find(({path,text})=>path==="pyproject.toml"&&text.includes("[tool.\
aerich]"));return aerich===void 0?[]:command(...aerichCommand(aerich.text,files2))}function aerichCommand(settings2,files2){
let[,own=""]=/^\[tool\.aerich\]([^[]{0,2000})/m.exec(settings2)??[],[,module,name]=/^tortoise_orm\s*=\s*["']([\w.]{1,200})\.(\w{1,100})["']/m.
exec(own)??[],[,location="migrations"]=/^location\s*=\s*["'](?:\.\/)?([\w./-]{1,200})["']/m.exec(own)??[];return files2.
some(({path})=>path.startsWith(`${location}/`)&&path.endsWith(".py"))||module===void 0?["aerich upgrade","pyproject.toml\
 has it"]:[`python -c "${["import asyncio","from tortoise import Tortoise",`from ${module} import ${name}`,"run = asynci\
o.new_event_loop().run_until_complete",`run(Tortoise.init(config=${name}))`,"run(Tortoise.generate_schemas())","run(Tort\
oise.close_connections())"].join("; ")}"`,`${location} has no migrations, so the models' tables are made`]}var readByCommand="\
`migrate-command` reads it";function hasVersions({path,text},files2){let versions=`${folderOf(path)}/versions/`;return/^[\w./-]+\/env\.py$/.
test(path)&&/context\.configure/.test(text)&&files2.some(file=>file.path.startsWith(versions)&&file.path.endsWith(".py"))}
function addressFor(code,{has}){let isSync=!code.includes("async_engine_from_config"),isAlone=isSync&&has("asyncpg")&&![
"psycopg2","psycopg2-binary","psycopg"].some(has);return`${isAlone?"postgresql+asyncpg":isSync&&has("psycopg")?"postgres\
ql+psycopg":styleFor(code)}://{user}:{password}@{host}:{port}/{database}${isAlone?"?async_fallback=True":""}`}function withoutSettings({
path,text},isSqlite){return`python -c "${["import os, logging.config","from alembic import command, config",.../config_file_name\b[^\n]{0,20}(?:is not None|:)/.
test(text)?[]:["logging.config.fileConfig = lambda *_, **__: None"],"settings = config.Config()",`settings.set_main_opti\
on('script_location', '${folderOf(path)}')`,...isSqlite?[]:[`settings.set_main_option('sqlalchemy.url', os.environ['${urlVariable}\
'].replace('%', '%%'))`],"command.upgrade(settings, 'heads')"].join("; ")}"`}function alembicCommand({path,text},files2,isSqlite){
let folder=folderOf(path),[,location=""]=/^[ \t]{0,20}script_location[ \t]{0,20}=[ \t]{0,20}(\S{1,300})/m.exec(text)??[],
inFolder=below=>below==="."?"":`${below}/`,hasScripts=below=>files2.some(file=>file.path===`${inFolder(below)}${location.
replace(/^\.\//,"")}/env.py`),isNextToIt=folder!=="."&&!location.includes("%(here)s")&&!hasScripts(".")&&hasScripts(folder),
env=files2.find(file=>nameOf2(file.path)==="env.py"&&/context\.configure/.test(file.text)),fixed=isSqlite?void 0:fixedUrl(
text,env?.text);if(fixed!==void 0)return{value:`python -c "${[...isNextToIt?[`import os; os.chdir('${folder}')`]:["impor\
t os"],"from alembic import command, config",`settings = config.Config('${isNextToIt?nameOf2(path):path}')`,`settings.se\
t_main_option('sqlalchemy.url', os.environ['${urlVariable}'].replace('%', '%%'))`,...fixed.isInCode?["settings.set_main_\
option = lambda *each: None"]:[],"command.upgrade(settings, 'heads')"].join("; ")}"`,reason:`${path} has its own databas\
e address, which is replaced by the load test's`,url:`${fixed.style}://{user}:{password}@{host}:{port}/{database}`};if(isNextToIt)
return{value:`python -c "${`import os; os.chdir('${folder}'); from alembic.config import main; main(['upgrade', 'heads']\
)`}"`,reason:`${path} exists, and its scripts are next to it`};let option=path==="alembic.ini"?"":`--config ${path} `,names2=sectionsIn(
text);if(names2.length>0){let reason=`${path} has these sections`;return{value:names2.map(name=>`alembic ${option}--name\
 ${name} upgrade head`),reason}}return{value:`alembic ${option}upgrade head`,reason:`${path} exists`}}function sectionsIn(text){
let found2=text.split(/^(?=\[)/m).flatMap(section=>{let[,name=""]=/^\[([\w-]{1,60})\]/.exec(section)??[];return/^script_location[ \t]*=/m.
test(section)?[name]:[]});return found2.includes("alembic")?[]:found2.filter(name=>name!=="")}var urlVariable="ALEMBIC_U\
RL";function fixedUrl(settings2,code){if(code===void 0)return;let inSettings=/^[ \t]{0,20}sqlalchemy\.url[ \t]{0,20}=[ \t]{0,20}(?!driver:)(\w+(?:\+\w+)?):\/\//m.
exec(settings2),inCode=/set_main_option\(\s{0,20}["']sqlalchemy\.url["'],\s{0,20}["'](\w+(?:\+\w+)?):\/\//.exec(code),isRead=!/set_main_option|set_section_option|environ|getenv|settings|["']url["']\s{0,20}\]?\s{0,20}[=:]/.
test(code),found2=inCode??(isRead?inSettings:null);return found2===null?void 0:{style:[...urlStyles,...mysqlStyles].find(
style=>style===found2[1])??styleFor(code),isInCode:inCode!==null}}function styleFor(code){return code.includes("async_en\
gine_from_config")?"postgresql+asyncpg":urlStyles[0]}var isOfOtherDatabase=/(?:^|[/._-])(?:mysql|mariadb|sqlite3?|oracle|mssql|sqlserver|clickhouse)[/._-]/i;
function sqlIn(files2,hasMigrations2){let paths=files2.filter(({path,text})=>path.endsWith(".sql")&&/^[ \t]*(?:CREATE|INSERT|COPY)\s/im.
test(text)).map(({path})=>path).filter(path=>!/down|rollback|drop|queries/.test(path)&&!isOfOtherDatabase.test(path)).filter(
path=>!hasMigrations2||isData.test(nameOf2(path))).toSorted(inOrder);return paths.length===0||paths.length>mostSqlFiles?
[]:[{key:"seed",value:paths,reason:"in alphabetical order, data last"}]}function inOrder(one,other){let rankOf5=path=>/^\d/.
test(nameOf2(path))?1:isData.test(nameOf2(path))?2:0;return rankOf5(one)-rankOf5(other)||(one<other?-1:1)}var isSeeding=/^(?:\w+_)?(?:seed|seeds|seeding|initial_data|populate)(?:_\w+)?\.py$|^(?:create|add|make)_(?:(?:first|initial|default)_\w+|super_?user|admin)\.py$/,
isSetUp=/^(?:init|set_?up|load|bootstrap)(?:_(?:db|database|data|fixtures|admin))?\.py$/,makesRows=/INSERT INTO|\.add(?:_all)?\(|\.(?:bulk_)?create\(|bulk_(?:insert|save)/,
mostCommands=5;function findSeedCommand(files2,app){let afterMigrations=runAfterMigrations(files2),found2=files2.filter(
({path,text})=>(isSeeding.test(nameOf2(path))||isSetUp.test(nameOf2(path))&&makesRows.test(text)||afterMigrations.has(path)&&
!/wait|start|check|^main/.test(nameOf2(path))&&!isServer.test(text))&&!/clean|delete|remove|drop|reset|undo|test/.test(nameOf2(
path))&&text.includes("__main__")),[first]=found2.filter(({path})=>!isFirst(path)),chosen2=first===void 0?found2.filter(
({path})=>isFirst(path)):[first],commands=chosen2.map(({path})=>commandOf(path,app)).toSorted().slice(0,mostCommands),[only]=commands;
if(only===void 0)return askedToSeed(files2,app);let reason=`${chosen2.map(({path})=>path).join(", ")} can be run`;return{
key:"seed-command",value:commands.length===1?only:commands,reason}}function askedToSeed(files2,app){let found2=files2.find(
({path,text})=>!path.includes("test")&&takesSeed.test(text)&&text.includes("__main__"));if(found2!==void 0)return{key:"s\
eed-command",value:`${commandOf(found2.path,app)} seed`,reason:`${found2.path} has this command`}}var takesSeed=/choices\s{0,20}=\s{0,20}[[(](?:\s{0,20}["'][\w-]{1,60}["'],){0,20}\s{0,20}["']seed["']|add_parser\(\s{0,20}["']seed["']|\.command\((?:name\s{0,20}=\s{0,20})?["']seed["']|\.command\(\)\s{1,20}(?:async\s{1,20})?def seed\(/,
isServer=/\.run\(\s{0,20}(?:["'][\w.]{1,100}:\w{1,60}["']|app\b)/;function runAfterMigrations(files2){let commands=files2.
filter(({path})=>path.endsWith(".sh")).flatMap(({text})=>text.split(/alembic\b.{0,200}\bupgrade\b/).slice(1)).flatMap(after=>[
...after.matchAll(/^[^#\n]{0,200}\bpython3?[ \t]+(?:-m[ \t]+([\w.]+)|([\w./-]+\.py))/gm)]);return new Set(commands.flatMap(
([,module,path=""])=>{if(module===void 0)return[path.replace(/^\.\//,"")];let inside=module.replaceAll(".","/");return[`${inside}\
.py`,`${inside}/__main__.py`]}))}function isFirst(path){return/^(?:create|add|make)_/.test(nameOf2(path))}function commandOf(path,app){
let inside=moduleOf(path,app);return folderOf(inside).split("/").every(part=>/^(?:\w+|\.)$/.test(part))?`python -m ${inside.
replaceAll("/",".")}`:`python ${path}`}var named=servers.filter(({command})=>command!==void 0).toSorted((a2,b2)=>+(a2===usualServer)-+(b2===usualServer));function findServer(app,{
has},files2){let started=files2.filter(({path})=>/^(?:.*\.)?(?:Dockerfile|Containerfile|Procfile)\b|\.sh$/.test(nameOf2(
path))).flatMap(({path,text})=>{let words2=text.replaceAll(/^[ \t]*(?:#|RUN\s).*$/gm,"").replaceAll(/[",[\]\s]+/g," "),server2=named.
find(({name,startedBy=name})=>words2.includes(startedBy));return server2===void 0?[]:[{server:server2,words:words2,reason:`${path}\
 starts it`}]}),configured=named.filter(({needs:[own],settingsFile})=>has(own)&&files2.some(({path})=>path===settingsFile)).
map(server2=>({server:server2,words:"",reason:`${server2.settingsFile} configures it`})),required=(has(usualServer.needs[0])?
[usualServer]:named.filter(({needs:[own]})=>has(own))).map(server2=>({server:server2,words:"",reason:`it is in the requi\
rements, and ${usualServer.name} is not`})),[found2]=[...started,...configured,...required];if(found2===void 0||found2.server===
usualServer)return[];let{server,words,reason}=found2,workerClass=workerClassOf(server,words,files2);return[settingOf(server,
reason,{isWsgi:app.framework==="Flask",has,workerClass},files2)]}function workerClassOf({name,settingsFile},words,files2){
if(settingsFile===void 0)return;let command=words.slice(Math.max(0,words.indexOf(name))),[,chosen2]=/ (?:-k|--worker-class)[ =]+([\w.]+)/.
exec(command)??[],[,file=settingsFile]=/ (?:-c|--config)[ =]+(?:file:|\.\/|\/\S+\/)?([\w./-]+)/.exec(command)??[],text=files2.
find(({path})=>path===file)?.text??"";return chosen2??/^[ \t]*worker_class[ \t]*=[ \t]*["']([\w.]+)["']/m.exec(text)?.[1]}
function settingOf(server,reason,app,files2){let value=server.commandFor?.(app)??server.name,{endsWorkers}=server,[,setting]=files2.
flatMap(({path,text})=>path===endsWorkers?.file?endsWorkers.setting.exec(text)??[]:[]);return endsWorkers===void 0||setting===
void 0?{key:"server",value,reason}:{key:"server",value:`${serverTemplateOf(value)} ${endsWorkers.off}`,reason:`${reason}\
; under load, its workers would restart within seconds because of ${setting} in ${endsWorkers.file}`}}var ending=/_(?:API|API_BASE|API_URL|API_BASE_URL|BASE_URL|SERVICE_URL|ENDPOINT|ENDPOINT_URL|WEBHOOK_URL|API_HOST|URL|URI)$/,
isOwn2=/^(?:APP|SITE|SERVER|BACKEND|FRONTEND|FRONT_END|PUBLIC|WEB|OWN|SELF|PROJECT|DOMAIN)_|FRONTEND|CORS|ORIGIN|REDIRECT|CALLBACK|DOCS|STATIC|MEDIA|ASSET|LOGO|IMAGE|AVATAR|TERMS|HOMEPAGE|CONTACT|LICENSE|DATABASE|REDIS/;function findStubs(variables){let found2=variables.flatMap(({name,path,value:value2=""})=>{let address=addressOf(name,value2);
return address===void 0?[]:[{name,path,address}]}),stubs=new Map;for(let{name,address}of found2.slice(0,5)){let path=address.
pathname.replace(/\/+$/,""),called2=stubName(name),{variables:before={}}=stubs.get(called2)??{};stubs.set(called2,{variables:{
...before,[name]:`{url}${path}`},path})}let[first]=found2;if(first===void 0)return[];let hosts=[...new Set(found2.map(({
address})=>address.hostname))].slice(0,5).join(", ");return[{key:"stubs",value:Object.fromEntries([...stubs].map(([called2,
{variables:own,path}])=>[called2,{"app-env":own,routes:[{path:`${path}/*`,delay:"50ms",body:{}}]}])),reason:`${first.path}\
 calls other systems (${hosts}), which a load test must not load. These stubs answer instead: set the real responses and\
 delays (docs/services.md).`}]}function addressOf(name,value){if(!ending.test(name)||isOwn2.test(name)||!/^https?:\/\/[^/]/.
test(value)||!URL.canParse(value))return;let address=new URL(value),{hostname,pathname}=address,isPublic=/^[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*$/.
test(hostname)&&!/\.(?:local|internal|localhost)$/.test(hostname),isApi=!/_UR[LI]$/.test(name)||/_(?:API|BASE|SERVICE|ENDPOINT|WEBHOOK)/.
test(name),looksLikeApi=/(?:^|[.-])apis?[.-]|apis\./.test(hostname)||/^\/(?:api|v\d)\b/.test(pathname);return isPublic&&
(isApi||looksLikeApi)&&/^[\w./~-]*$/.test(pathname)?address:void 0}function stubName(variable){return variable.replace(ending,
"").toLowerCase().slice(0,40)}var isMail=/EMAIL|SUPERUSER$|MAIL_FROM|_SENDER$|FROM_ADDRESS$|(?:SMTP|MAIL)_?(?:USER|LOGIN)$/;function madeUpValue({name:written2,
type=""}){let name=written2.toUpperCase();return/\bbool\b/i.test(type)?"false":/\b(?:list|dict|set|tuple|sequence)\b/i.test(
type)?/dict/i.test(type)?"{}":"[]":/CommaSeparated|Csv/.test(type)?"made-up":/Email/.test(type)||isMail.test(name)&&!/PASSWORD|HOST|PORT|TEMPLATE|NAME/.
test(name)?"user@example.com":/Redis/.test(type)?"redis://127.0.0.1:6379/0":isMailHost.test(name)?"127.0.0.1":/SENTRY\w*DSN/.
test(name)?/Url\b|Dsn\b/.test(type)?"http://key@127.0.0.1:1/1":"":/_(?:MINUTES|SECONDS|TTL|EXPIRES?|EXP)$/.test(name)?"3\
600":/\b(?:\w*int|float|Decimal|timedelta)\b/i.test(type)||/(?:^|_)PORT$|_(?:HOURS|DAYS|SIZE|COUNT|LIMIT|TIMEOUT)$/.test(
name)?"1":/Literal\[\s*["']([^"']+)["']/.test(type)?/Literal\[\s*["']([^"']+)["']/.exec(type)?.[1]??"":/mongo/i.test(name+
type)&&/(?:Dsn|URL|URI|DSN|CONNECTION_STRING|_HOST)(?:str)?$/.test(name+type)?name.endsWith("_HOST")?"127.0.0.1":"mongod\
b://127.0.0.1:1":/Url\b/.test(type)||/UR[LI]$/.test(name)?"http://127.0.0.1:1":/(?:^|_)ALGORITHM$/.test(name)?"HS256":/(?:^|_)LOG_?LEVEL$/.
test(name)?"INFO":/(?:^|_)PHONE(?:_NUMBER)?$/.test(name)?"+14155552671":/(?:PASSWORD|_PASS|_PWD)$/.test(name)?"Load-test\
-1!":`made-up-for-the-load-test${/SECRET|KEY|TOKEN|SALT/.test(name)?"-of-32-or-more":""}`}function valueFor(variable,examples){
let example=examples.get(variable.name)?.value,isNumber=/\b(?:\w*int|float|Decimal)\b/i.test(variable.type??"")||/(?:^|_)PORT$/.
test(variable.name),isName=example!==void 0&&isNumber&&/^[A-Za-z_ -]+$/.test(example);return example===void 0||isName?madeUpValue(
variable):example}function exampleValues(files2){let found2=new Map;for(let{path,text}of files2.toSorted((a2,b2)=>rankOf(
a2.path)-rankOf(b2.path)))for(let[name,value]of pairsOfFile(path,text)){let own=isSecret.test(name)&&noSecret.test(value)||
noAlgorithm(name,value)||isMailSecret.test(name)||isMailServer(name,value)?madeUpValue({name,type:""}):value;!found2.has(
name)&&isPlain3(own)&&found2.set(name,{value:own,path})}return found2}var isMailSecret=/(?:MAIL|SMTP)\w*(?:PASSWORD|_PASS|_PWD|SECRET|TOKEN|KEY)$/,
isMailHost=/(?:MAIL|SMTP)\w*(?:HOST|SERVER)(?:_?NAME)?$/;function isMailServer(name,value){return isMailHost.test(name)&&
!/^(?:localhost|127\.|\[?::1)/.test(value)}function noAlgorithm(name,value){return/(?:^|_)ALGORITHM$/.test(name)&&value.
includes(" ")}function pairsOfFile(path,text){let rank2=rankOf(path);return rank2<3?variablesOf(text):rank2===4?variablesOfImage(
text):/devcontainer\.json$/.test(path)?environmentsIn(withoutRemarks(text)):rank2===3||rank2===5?environmentsIn(text):[]}
function rankOf(path){let name=nameOf2(path);return isVariablesExample.test(name)?isForProduction.test(name)?2:0:/^\.env(?:\.(?:local|dev|development|docker))?$/.
test(name)?1:/\.env(?:\.\w+)?$|^\.env/.test(name)?2:/^(?:docker-)?compose[\w.-]*\.ya?ml$|^\.?devcontainer\.json$/.test(name)?
3:/^(?:.*\.)?(?:Dockerfile|Containerfile)\b/.test(name)?4:path.startsWith(".github/workflows/")?5:6}function variablesOfImage(text){
return text.replaceAll(/\\\r?\n/g," ").split(`
`).flatMap(line=>{let[,said=""]=/^[ \t]*ENV[ \t]+(.{1,2000})$/.exec(line)??[],[,name="",value=""]=/^(\w+)[ \t]+(.*)$/.exec(
said)??[];return(name===""?[...said.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S*)/g)]:[[said,name,value]]).flatMap(([,key="",written2=""])=>{
let plain=written2.replace(/^(["'])(.*)\1$/,"$2").trim();return plain.startsWith("/")?[]:[[key.toUpperCase(),plain]]})})}
var assignment=/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"([^"]{0,5000})"|'([^']{0,5000})'|(.{0,2000}))/gm;
function variablesOf(text){return[...text.matchAll(assignment)].flatMap(([,name="",double,single,plain=""])=>{let value=double??
single??plain.replace(/\s+#.*$/,"").trim();return value.includes(`
`)&&!/^\s*[[{]/.test(value)?[]:[[name.toUpperCase(),value.replaceAll(/\s*\n\s*/g," ")]]})}function withoutRemarks(text){
return text.replaceAll(/^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm,"").replaceAll(/\/\*[^*]{0,5000}\*\//g,"")}var environments=["en\
vironment","env","containerEnv","remoteEnv"];function environmentsIn(text){return pairsIn(foreignYaml(text),0)}function pairsIn(value,depth){
return typeof value!="object"||value===null||depth>8?[]:Object.entries(value).flatMap(([key,inner])=>environments.includes(
key)?pairsOf(inner):pairsIn(inner,depth+1))}function pairsOf(value){return Array.isArray(value)?variablesOf(value.filter(
each=>typeof each=="string").join(`
`)).map(([name,each])=>[name,defaulted(each)]):Object.entries(Object(value)).flatMap(([name,each])=>["string","number","\
boolean"].includes(typeof each)?[[name.toUpperCase(),defaulted(String(each))]]:[])}function defaulted(text){return/^\$\{\w+:?-([^}]*)\}$/.
exec(text)?.[1]??text}var placeholder=/^(?:<.*>|_{2,}\w+_{2,}|change[-_ ]?(?:me|this|it)(?:[-_ ]\w+)*|replace[-_ ]?(?:me|this|it)(?:[-_ ]\w+)*|your[-_ ].*|x{3,}|todo)$/i,
yours=/^Your[A-Z]\w*$/,noSecret=/change|replace|generate|your|here|example|todo|xxx|<.*>|_{2}\w+_{2}/i,isSecret=/PASSWORD|_PASS$|_PWD$|SECRET|TOKEN|SALT|(?:^|_)KEY$/;
function isPlain3(value){return value!==""&&value.length<500&&!/\$[{(\w]|[\r\n]/.test(value)&&![placeholder,yours].some(
each=>each.test(value))}var readsIt=/\benv_file\b["']?\s*[:=]\s*\(?["'](?:\.\/)?\.env["']|\bload_dotenv\(|\bdotenv_values\(|\bfrom decouple import|\bConfig\(\s*["']\.env["']|\bread_env\(/;
function readByItself(files2){let file=files2.find(({path})=>path===".env"),isRead=files2.some(({path,text})=>path.endsWith(
".py")&&readsIt.test(text));return file===void 0||!isRead?new Set:new Set(variablesOf(file.text).map(([name])=>name))}var isOfLimit=/RATE_?LIMIT|THROTTL|REQUESTS?_PER_(?:SECOND|MINUTE|HOUR|DAY|IP|USER|CLIENT)/i;
function limitSwitches({has},variables,files2){let own=variables.filter(({name})=>isOfLimit.test(name)).flatMap(switchOf);
return Object.fromEntries([...own,...hasSlowApi(has,files2)?[["RATELIMIT_ENABLED","false"]]:[]])}var isNoCount=/(?<!PER_)(?:SECONDS?|MINUTES?|HOURS?|SECS?)$|WINDOW|PERIOD|INTERVAL|DURATION|TTL|BLOCK|BAN|EXPIRE|DELAY|_(?:PORT|DB)$/i;
function switchOf({name,value="",type=""}){if(/ENABLE|ACTIVE|^USE_|_ON$/i.test(name))return/^(?:true|1)$/i.test(value)?[
[name,"false"]]:[];if(/DISABLE/i.test(name))return/^(?:false|0)$/i.test(value)?[[name,"true"]]:[];let[,unit]=/^[1-9]\d{0,8}((?:\s?(?:\/|per )\s?\w{1,10})?)$/.
exec(value)??[];return unit!==void 0&&!isNoCount.test(name)&&!/bool/.test(type)?[[name,`1000000${unit}`]]:[]}function hasSlowApi(has,files2){
return has("slowapi")&&!files2.some(({text})=>/\bLimiter\([^)]*\benabled\s*=/.test(text))}var accounts=[[/^(?:\w+_)?FIRST_SUPERUSER(?:_EMAIL|_USERNAME)?$/,
/^(?:\w+_)?FIRST_SUPERUSER_(?:PASSWORD|PW)$/],[/^(?:\w+_)?FIRST_USER_(?:EMAIL|USERNAME)$/,/^(?:\w+_)?FIRST_USER_(?:PASSWORD|PW)$/],
[/^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPER_?USER|API|_DEFAULT)_{0,2}(?:USERNAME|USER|EMAIL)$/,/^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPER_?USER|API|_DEFAULT)_{0,2}PASSWORD$/],
[/^(?:\w+_)?(?:ADMIN|SUPER_?USER)_{1,2}NAME$/,/^(?:\w+_)?(?:ADMIN|SUPER_?USER)_{1,2}PASSWORD$/]];function findFirstUser(variables,given){
let settingsOf=isWanted=>variables.filter(({name})=>isWanted(name)).map(({name,value})=>({name,value:given[name]??value})).
filter(({value})=>value!==void 0),settingOf3=isWanted=>settingsOf(isWanted)[0],known2=accounts.flatMap(([user,password4])=>{
let secret=settingOf3(name=>password4.test(name));return settingsOf(name=>user.test(name)).map(each=>[each,secret])}),others=variables.
flatMap(({name:user})=>{let[,prefix]=/^(\w+_)(?:USERNAME|USER|EMAIL|LOGIN)$/.exec(user)??[];if(prefix===void 0||isOfServer.
test(prefix))return[];let secrets2=["PASSWORD","PASS","PWD"].map(end=>prefix+end);return[[settingOf3(name=>name===user),
settingOf3(name=>secrets2.includes(name))]]}),[first,...more]=[...known2,...others].flatMap(([user,secret])=>user?.value===
void 0||secret?.value===void 0?[]:[{setting:user.name,username:user.value,password:secret.value}]),names2=more.filter(({
username:username2,password:password4})=>password4===first?.password&&username2!==first.username).map(({username:username2})=>username2);
return first&&{...first,...names2.length>0&&{others:[...new Set(names2)]}}}var isKeyOfApp=/^(?:\w+_)?(?:X_)?(?:API_?KEYS?|API_TOKEN|AUTH_(?:KEY|TOKEN)|ACCESS_KEY)$/;
function findKeys(variables,given){let values=variables.filter(({name})=>isKeyOfApp.test(name)&&!isOfServer.test(name)).
flatMap(({name,value})=>given[name]??value??[]);return[...new Set(values.flatMap(each=>each.split(",")))].filter(each=>/^[!-~]{1,200}$/.
test(each))}var isOfServer=/DATABASE|POSTGRES|MYSQL|MARIA|SQL|MONGO|REDIS|RABBIT|AMQP|BROKER|MAIL|SMTP|(?:^|_)(?:DB|PG|MQ|S3|FTP|LDAP|FLOWER|ELASTIC)_/;function findProject({app,name,from},files2,found2,variables,presetsHere,scripts={files:[]}){let own=ownFiles(app,files2,
found2),requirements=findRequirements(own,app.folder,files2),examples=exampleValues([...own,...files2.filter(file=>!own.
includes(file))]),known2=variables.map(each=>({...each,value:each.value??examples.get(each.name)?.value})),database=startable(
findDatabase(requirements,withAddresses(known2,examples),own),presetsHere),seeding=database.kind==="none"?[]:findSeeding(
requirements,own,app.importString,database.kind),services2=findServices(requirements,known2,own),started=services2.filter(
({preset})=>presetsHere.has(preset)),ofServices=started.flatMap(({variables:its})=>Object.keys(its)),stubs=findStubs(known2.
filter(({name:each})=>![...database.names,...ofServices].includes(each))),given=new Set([...database.names,...ofServices,
...stubs.flatMap(appVariablesIn)]),byItself=readByItself(own),filling=database.kind==="none"?findSeedCommand(own,app.importString):
void 0,companions=[...servicesSetting(started,filling),...stubs,...findProcesses(requirements,files2)],folder=from===app.
folder?".":app.folder,isOfDatabase2=({key})=>key==="database-env",ofDatabase=withTemplates(database.findings,seeding.find(
isOfDatabase2)),scripted=scriptSettings(scripts,from,files2),installed=scripted.find(({key})=>key==="install"),findings=[
...installed===void 0?requirements.findings:[],...findServer(app,requirements,own),...ofDatabase];return{files:own,installer:installed===
void 0?requirements.installer:`pip (${installed.value})`,openRequirements:requirements.open,findings:[...name===void 0?[]:
[finding("name",name,"its name in the report")],finding("app",app.importString,reasonOf3(app)),...folder==="."?[]:[finding(
"working-directory",folder,"the project's files are in this folder")],...[...findings,...companions,...seeding.filter(each=>!isOfDatabase2(
each))].map(each=>placed2(each,folder)),...valuesFor(variables.filter(({name:each})=>!given.has(each)&&!byItself.has(each)&&
!/^PG[A-Z]+$/.test(each)),{examples,made:database.values??{},switches:limitSwitches(requirements,known2.map(each=>({...each,
value:each.value??examples.get(each.name)?.value})),own),sendsMail:requirements.has("fastapi-mail")&&!started.some(({preset})=>preset===
"mailpit")}),...scripted],variables,examples,lacks:[...database.lacks===void 0?[]:[database.lacks],...lackingServices(requirements,
variables,services2,presetsHere,own)],proposals:proposeScripts(scripts,from,files2)}}function withTemplates(findings,added){
let own=findings.find(({key})=>key==="database-env");if(added===void 0)return findings;if(own===void 0)return[...findings,
added];let value=Object.fromEntries([own,added].flatMap(each=>Object.entries(Object(each.value)).map(([name,text])=>[name,
String(text)])));return findings.map(each=>each===own?{...own,value}:each)}function finding(key,value,reason){return{key,
value,reason}}function reasonOf3({framework}){return framework==="app"?"a function creates it":`the only ${framework} ap\
p found, or the one that you named`}function ownFiles({folder},files2,found2){let others=[...new Set(found2.map(each=>each.
folder))].filter(other=>isWithin(other,folder));return files2.flatMap(file=>others.some(other=>isWithin(file.path,other))?
[]:folder==="."?[file]:isWithin(file.path,folder)?[{...file,path:file.path.slice(folder.length+1)}]:[])}function placed2(each,folder){
if(folder==="."||each.key!=="seed"&&each.key!=="install")return each;let{value}=each;return{...each,value:typeof value==
"object"?Object.values(value).map(path=>inFolder(String(path))):inFolder(String(value))};function inFolder(path){let up=path.
split("../").length-1;return[...folder.split("/").slice(0,up===0?void 0:-up),path.slice(3*up)].join("/")}}function isSecretUnset({
name,value,isField}){let isSecret2=/^(?:APP_|JWT_|AUTH_|ACCESS_|REFRESH_|TOKEN_)*(?:SECRET|SECRET_KEY|TOKEN_SECRET)$/.test(
name),isAlgorithm=/^(?:APP_|JWT_|AUTH_|ACCESS_)*ALGORITHM$/.test(name)&&!isField;return(isSecret2||isAlgorithm)&&value===
void 0}function valuesFor(variables,{examples,made,switches,sendsMail}){let needed=variables.filter(each=>(each.isNeeded||
made[each.name]!==void 0||isSecretUnset(each))&&!/^(?:LOADTEST_|GITHUB_|(?:CI|PATH|HOME|PYTHONPATH)$)/.test(each.name)),
value=Object.fromEntries(needed.map(each=>[each.name,examples.has(each.name)?valueFor(each,examples):made[each.name]??madeUpValue(
each)])),reasons=[...needed.length===0?[]:[reasonOfValues(needed,examples)],...Object.keys(switches).map(name=>`${name}:\
 a rate limit would refuse most of the load`),...sendsMail?["SUPPRESS_SEND: fastapi-mail connects to no mail server"]:[]],
all={...value,...switches,...sendsMail&&{SUPPRESS_SEND:"1"}};return reasons.length===0?[]:[finding("app-env",all,reasons.
join("; "))]}function reasonOfValues(needed,examples){let files2=[...new Set(needed.map(({path})=>path))].join(", "),from=[
...new Set(needed.flatMap(({name})=>examples.get(name)?.path??[]))],origin=from.length===0?"the values are invented":`va\
lues are from ${from.join(", ")}, or invented`;return`${files2} requires them; ${origin}`}function settingOf2({findings},wanted){return findings.find(({key})=>key===wanted)}function withSetting(project,setting){
return{...project,findings:[...without(project,setting.key).findings,setting]}}function without(project,unwanted){return{
...project,findings:project.findings.filter(({key})=>key!==unwanted)}}function variablesOf2(project){let value=settingOf2(
project,"app-env")?.value;return Object.fromEntries(Object.entries(Object(value)).map(([name,each])=>[name,String(each)]))}
function withVariables(project,added){let reason=settingOf2(project,"app-env")?.reason??"the app did not start without t\
hem; change invented values";return withSetting(project,{key:"app-env",value:{...variablesOf2(project),...added},reason})}
function namesIn2({findings}){let own=findings.flatMap(({key,value})=>key==="database-variable"?[String(value)]:key==="s\
ervices"||key==="stubs"?appVariablesIn({value}):key==="app-env"||key==="database-env"?Object.keys(Object(value)):[]);return new Set(
own)}var missingTable=/relation "[^"\n]{1,200}" does not exist|no such table: |Table '[^'\n]{1,200}' doesn't exist/,base=/^class (\w+)\([^)\n]{0,200}\bDeclarativeBase\b|^(\w+)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?(?:declarative_base|registry)\(/m,
engine=/^(\w+)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?create_(async_)?engine\(/m,ownEngine=/^(\w*engine)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?\w{0,50}engine\w{0,50}\(/m;
function withModelTables(project,{log}){let made=missingTable.test(log)&&!hasMigrations(project)?withTablesOfModels(project):
void 0;return made&&{project:made,message:"the database lacks tables that no migration creates, so they are created from\
 the app's models (`migrate-command`)"}}function withTablesToFill(project){let isFilled=settingOf2(project,"seed-command")!==
void 0,isMigrated=settingOf2(project,"migrate-command")!==void 0;return!isFilled||!isMigrated||hasMigrations(project)?project:
withTablesOfModels(project)??project}function withTablesOfModels(project){let[app]=String(settingOf2(project,"app")?.value).
split(":"),own=project.files.filter(({path})=>path.endsWith(".py")&&!/(?:^|\/)(?:tests?|conftest|alembic|migrations)\b/.
test(path)),found2=foundIn(own,engine)??foundIn(own,ownEngine),models=foundIn(own,base)??sqlModel(own);if(app===void 0||
found2===void 0||models===void 0)return;let at=path=>moduleOf(path,app).replaceAll("/",".").replace(/\.__init__$/,""),create=`${models.
name}.metadata.create_all`,made=found2.isAsync?`asyncio.run(greenlet_spawn(${create}, ${found2.name}.sync_engine))`:`${create}\
(${found2.name})`,code=[`import ${app}`,...found2.isAsync?["import asyncio","from sqlalchemy.util import greenlet_spawn"]:
[],`from ${models.path===void 0?"sqlmodel":at(models.path)} import ${models.name}`,`from ${at(found2.path)} import ${found2.
name}`,made].join("; ");return withSetting(project,{key:"migrate-command",value:`python -c "${code}"`,reason:"no migrati\
on creates the tables of the app's models"})}function hasMigrations(project){let command=settingOf2(project,"migrate-com\
mand");return command===void 0?settingOf2(project,"seed")!==void 0:!(!project.files.some(({path})=>nameOf2(folderOf(path))===
"versions"&&path.endsWith(".py")&&nameOf2(path)!=="__init__.py")&&String(command.value).includes("alembic"))}function foundIn(files2,what){
return files2.flatMap(({path,text})=>{let[,one,two]=what.exec(text)??[];if(one===void 0&&two===void 0)return[];let isAsync=two===
"async_"||what===ownEngine&&!/create_engine\(/.test(text);return[{path,name:one??two??"",isAsync}]}).toSorted((a2,b2)=>a2.
path.split("/").length-b2.path.split("/").length)[0]}function sqlModel(files2){return files2.some(({text})=>/^from sqlmodel import [^\n]*\bSQLModel\b/m.
test(text))?{path:void 0,name:"SQLModel"}:void 0}var requestSchema=object({kind:literal("request"),test:string(),method:m(methods),path:string().startsWith("/"),query:string(),
route:string().nullable(),headers:record(string(),string()),body:string(),status:int(),reply:string(),cookies:array(string()),
overrides:array(string()),rows:array(int()),values:array(int())}),rowSchema=object({kind:literal("row"),number:int(),key:string(),
sql:string(),test:string()}),replacementSchema=object({kind:literal("replacement"),number:int(),name:string().regex(/^[\w.]{1,200}:[\w.]{1,100}$/),
source:string().regex(/^[ -~]{1,1000}$/),imports:array(string().regex(/^[\w.]{1,200}:\w{0,100}$/)).max(20)}),lineSchema=discriminatedUnion(
"kind",[requestSchema,rowSchema,replacementSchema,object({kind:literal("outcome"),passed:int(),failed:int(),first:string(),
missing:array(string().regex(/^\w{1,100}$/))}),object({kind:literal("refused"),reason:string()})]);function readRecording(text){
let lines=text.split(`
`).flatMap(line=>lineSchema.safeParse(jsonOf(line)).data??[]),outcome=lines.findLast(line=>line.kind==="outcome");return{
requests:lines.filter(line=>line.kind==="request"),rows:new Map(lines.flatMap(line=>line.kind==="row"?[[line.number,line]]:
[])),replacements:new Map(lines.flatMap(line=>line.kind==="replacement"?[[line.number,line]]:[])),passed:outcome?.passed??
0,failed:outcome?.failed??0,first:outcome?.first??"",missing:outcome?.missing??[],refused:lines.find(line=>line.kind==="\
refused")?.reason}}var numbersGoOn=["DO $$ DECLARE each record;","BEGIN FOR each IN SELECT s.oid::regclass AS s, t.oid::\
regclass AS t, a.attname AS a FROM pg_class s","  JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') JOIN p\
g_class t ON t.oid = d.refobjid","  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid WHERE s.relki\
nd = 'S'","LOOP EXECUTE format('SELECT setval(%L, COALESCE((SELECT max(%I) FROM %s), 0) + 1, false)', each.s, each.a, ea\
ch.t);","END LOOP;","END $$;"].join(`
`),rowsFile="loadtest-rows.sql",about="-- What `init` adds to the database, and why. Change it as you like.";function renderRows(rows,before=about){
let lines=rows.flatMap(({test:test2,sql},index)=>rows[index-1]?.test===test2?[sql]:["",`-- ${visibleLine(test2)}`,sql]);
return[before.replaceAll(numbersGoOn,"").trimEnd(),...lines,"",numbersGoOn,""].join(`
`)}function insertOf({sql}){return sql.startsWith("INSERT INTO ")?sql.replace(/;$/," RETURNING 1"):void 0}var shown=/^ {0,4}# {2}- (.{1,4000}?) # ./,emptyList={unread:"# The app could not be imported here. `auto`: when it is m\
easured, every GET of its OpenAPI document is requested.",silent:"# No endpoint answers here yet. Fix what is missing, o\
r list those that answer; until then `auto` applies.",key:"# endpoints:"};function withNewComments(present,written2){let now=new Map(
written2.split(`
`).flatMap(line=>named2(line).map(name=>[name,line]))),measured=new Set(endpointsIn(E(written2)).map(nameOf3)),open=new Set,
lines=present.split(`
`).flatMap(line=>{let[name]=named2(line);return name===void 0?[line]:measured.has(name)?(open.add(name),[]):[(now.get(name)??
line).replace(/^ */,line.slice(0,line.indexOf("#")))]}),isEmpty=line=>line===emptyList.unread||line===emptyList.silent;return measured.
size===0||!lines.some(isEmpty)?{text:lines.join(`
`),open}:{text:lines.filter((line,index)=>named2(line).length===0&&!isEmpty(line)&&!(line===emptyList.key&&lines[index-1]===
emptyList.silent)).join(`
`),open,others:[...now.values()]}}function addOpened(before,made,open){if(!S(before)||!S(made))return!1;let opened=made.
items.filter(each=>open.has(nameOf3(e(each)||b(each)?each.toJSON():each)));return before.items.push(...opened),opened.length>
0}function endpointsIn(file){let{endpoints}=Object(file);return Array.isArray(endpoints)?endpoints:[]}function named2(line){
let[,value]=shown.exec(line)??[];if(value===void 0)return[];try{return[nameOf3(E(value))]}catch{return[]}}function nameOf3(value){
let{path,method="GET"}=Object(value),line=typeof value=="string"?value:`${method} ${path}`;return line.startsWith("/")?`\
GET ${line}`:line}var schemaUrl="https://raw.githubusercontent.com/org/fastapi-loadtest-action/v1/schema/loadtest.json",mostWithTwoRows=10,
suggestions=endpoints=>`
# Limits that fail the check, in k6's syntax:
# thresholds:
#   http_req_duration: p(95)<300
#   http_req_failed: rate<0.01
#   sql_per_request: ${budgetOf(endpoints)}

# What fails the check: regression | slower | latency | memory | invalid | never
# fail-on: regression

# Log in to the app; secrets come from variables:
# login:
#   path: /token
#   form: { username: load-test, password: { secret: LOADTEST_PASSWORD } }
`;function renderConfiguration(project,endpoints){let{installer}=project,measured=endpoints==="auto"?[]:endpoints.filter(
({reason})=>reason===void 0),installs=installer===void 0?[]:[`# ${installer} installs the app.`,""];return[`# yaml-langu\
age-server: $schema=${schemaUrl}`,"# Settings of the load test, written by `init`. Change them as you like; inputs in th\
e workflow override them.","",...installs,...project.findings.flatMap(entry),"# Worker counts to measure; each is a row \
of the report.",`workers: ${measured.length>mostWithTwoRows?"[1]":"[1, 2]"}`,"",...project.findings.some(({key})=>key===
"script")?withoutEffect(endpointLines(endpoints)):endpointLines(endpoints),...project.proposals.flatMap(proposalLines),suggestions(
measured)].join(`
`).replaceAll(/\n{3,}/g,`

`).replace(/\n+$/,`
`)}function budgetOf(endpoints){let counts=endpoints.flatMap(({line,statements=0})=>statements>0?{line,statements}:[]),[
most]=counts.toSorted((a2,b2)=>b2.statements-a2.statements);return most===void 0?"no more than base":`[no more than base\
, <= ${most.statements}] # ${visibleLine(most.line)} sent ${most.statements} here`}function entry({key,value,reason}){return[
`# ${reason}`,yaml({[key]:value}),""]}function endpointLines(endpoints){if(endpoints==="auto")return[emptyList.unread,"e\
ndpoints: auto"];let measured=endpoints.filter(({reason})=>reason===void 0),others=endpoints.filter(({reason})=>reason!==
void 0);return[...measured.length===0?[emptyList.silent,emptyList.key]:["# Endpoints to request, with parameters from th\
e app's OpenAPI document. `endpoints: auto` requests every GET.",...measured.filter(({isStream})=>isStream).map(streamLine),
"endpoints:",...measured.flatMap(item)],...others.map(each=>`#  - ${each.form===void 0?yaml(each.line):visibleLine(L(each.
form,{lineWidth:0,collectionStyle:"flow"}).trimEnd())} # ${each.reason}${each.from===void 0?"":` (${visibleLine(each.from)}\
)`}`)]}function withoutEffect(lines){return["# Without `script`, these are measured:",...lines.flatMap(line=>line.split(
`
`)).map(line=>line.startsWith("#")?line:`#${line.startsWith(" ")?"":" "}${line}`)]}function streamLine({line}){return`# ${line}\
 is a stream of events: its first byte and its data per second are measured, too.`}function item({line,params,form,from}){
let whole=form!==void 0&&Object.keys(form).every(key=>key==="path")?form.path:form??(params===void 0?line:{path:line,params}),
lines=yaml([whole]).split(`
`);return[...from===void 0?[]:[`  # ${visibleLine(from)}`],...lines.map(each=>each===""?"":`  ${each}`)]}function yaml(value){
return L(value,{lineWidth:0}).trimEnd()}function proposalLines({reason,lines}){return["",`# ${reason}`,...lines.map(line=>`\
# ${line}`)]}function withAdded(path,present,written2){let renewed=withNewComments(present,written2),[kept,made]=[a(renewed.
text),a(written2)];if(kept.errors.length>0||!b(kept.contents))return`${path} is not a YAML mapping; fix it, or replace i\
t with \`init --overwrite\``;let added=[];for(let pair of b(made.contents)?made.contents.items:[]){let key=nameOf4(pair);
key==="endpoints"&&renewed.others!==void 0&&S(pair.value)&&(pair.value.comment=renewed.others.map(line=>line.slice(1)).join(
`
`),kept.get(key)==="auto"&&kept.delete(key));let before=kept.get(key,!0);if(key==="script"&&kept.has("endpoints"))return`${path}\
 has \`endpoints\`, which a script replaces; remove them, or replace the file with \`--overwrite\``;if(!(key==="endpoint\
s"&&(kept.has("script")||kept.has("iteration")))){if(before===void 0){if(key==="stubs"&&isDecided(pair,kept,present))continue;
e(pair.key)&&(pair.key.commentBefore=pair.key.commentBefore??null),kept.contents.items.push(pair),added.push(key)}else if(key===
"endpoints"&&addOpened(before,pair.value,renewed.open))added.push(key);else if(key==="app-env"&&b(before)&&p(pair)&&b(pair.
value)){let lacking=pair.value.items.filter(each=>!before.has(nameOf4(each)));before.items.push(...lacking),added.push(...lacking.
map(each=>`app-env ${nameOf4(each)}`))}}}return{text:added.length===0?renewed.text:kept.toString({lineWidth:0}),added}}function isDecided({
value},kept,present){return(b(value)?value.items.filter(p):[]).some(stub=>{let variables=b(stub.value)?stub.value.get("a\
pp-env"):void 0,named4=b(variables)?variables.items.map(nameOf4):[];return kept.hasIn(["services",nameOf4(stub)])||named4.
some(each=>present.includes(each))})}function nameOf4({key}){return e(key)?String(key.value):String(key)}var workflowPath=".github/workflows/loadtest.yml";function packagesOf(services2){return[...new Set(services2.flatMap(({debianPackage})=>debianPackage??
[]))]}var minutesOfApp=15;function renderWorkflow(paths,packages){let isOne=paths.length===1,install=packages.length>0?`\

      - run: sudo apt-get update && sudo apt-get install --yes ${packages.join(" ")}`:"",config=["","        with:","   \
       config: |",...paths.map(path=>`            ${path}`)];return`# Load-tests every pull request against its base, an\
d keeps one comment up to date${isOne?"":" with a section for each app"}.
# Settings are in ${isOne?paths[0]:"the files in `config`"}.
name: Load test
on: pull_request

permissions: {}

concurrency:
  group: load-test-\${{ github.ref }}
  cancel-in-progress: true

jobs:
  loadtest:
    runs-on: ubuntu-latest
    timeout-minutes: ${minutesOfApp*(paths.length+1)}
    permissions:
      contents: read
      pull-requests: write # the comment
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # the merge commit and both of its parents, so that the base needs no fetch
          persist-credentials: false${install}
      # To pin the action, replace v1 with the commit SHA of a release.
      - uses: org/fastapi-loadtest-action@v1${isOne?"":config.join(`
`)}
`}async function fewAtOnce(items,most,work){let results=[],waiting=[...items.entries()].toReversed(),workThrough=async()=>{
for(let next=waiting.pop();next!==void 0;next=waiting.pop()){let[index,item2]=next;try{results[index]=await work(item2)}catch(error){
throw waiting.length=0,error}}},failed=(await Promise.allSettled(Array.from({length:most},workThrough))).find(each=>each.
status==="rejected");if(failed!==void 0)throw failed.reason;return results}var password3=/\b\w{0,40}(?:hash|crypt|passw|pwd)\w{0,40}["']?\s{0,3}[(=:]\s{0,3}(?:[\w.]{1,60}\(\s{0,3})?["']([!-~]{4,40}?)["']/gi,
accountName=/\b(?:\w{0,30}user_?name|\w{0,30}e?mail|login|account)["']?\s{0,3}[=:]\s{0,3}["']([\w.@+-]{3,60})["']|\bVALUES\s{0,9}\(\s{0,40}'([\w.@+-]{3,60})'/gi,
nearby=800,mostAccounts=4,mostLiterals=50,isOfRows=/seed|init|populate|fixture|bootstrap|start|migrat|admin|super|setup|create|main|versions\//i,
isExample=/(?:^|\/)(?:tests?|docs|examples?|schemas?)(?:\/|\.py$)|conftest|(?:^|\/)test_|_test\.py$/,isNoValue=/^\$2[aby]\$|^(?:username|email|login|password|passwd|string|text|bcrypt|sha256|utf-?8|HS256|auto)$|[{}%\\]/i;
function literalAccounts(files2){let found2=files2.filter(({path})=>path.endsWith(".py")&&isOfRows.test(path)&&!isExample.
test(path)).flatMap(({path,text})=>{let names2=literals(text,accountName);return literals(text,password3).flatMap(secret=>names2.
map(name=>({...name,distance:Math.abs(name.at-secret.at)})).filter(({distance})=>distance<=nearby).toSorted((a2,b2)=>a2.
distance-b2.distance).slice(0,2).map(({value})=>({setting:nameOf2(path),username:value,password:secret.value})))});return[
...new Map(found2.map(account=>[JSON.stringify([account.username,account.password]),account])).values()].slice(0,mostAccounts)}
function literals(text,pattern){return[...text.matchAll(pattern)].slice(0,mostLiterals).flatMap(({1:one,2:other,index})=>{
let value=one??other??"";return isNoValue.test(value)?[]:[{value,at:index}]})}var mostMeasured=20,mostShown2=60;function candidatesOf(document){let candidates=[],others=[],operations=operationsOf(document);
for(let endpoint of operations){let{method,path}=endpoint;if(isDocumentation.test(path)&&!hasOthers(endpoint,operations)){
others.push({line:path,reason:"shows the documentation"});continue}if(method!=="GET"||/(log|sign)[-_]?out/i.test(path)){
others.push(writeOf(document,endpoint));continue}let form=formFromOpenApi(withValues(document,endpoint),endpoint,!0),guess=typeof form==
"string"?formFromOpenApi(withValues(document,endpoint,"query"),endpoint,!0):form,names2=placeholdersIn(path);typeof guess==
"string"?others.push({line:path,reason:guess}):candidates.push({endpoint,form:guess,names:names2,...typeof form=="string"&&
{lacks:form}})}return{candidates,others}}var isDocumentation=/\/(?:openapi\.json|docs|redoc)\/?$/;function hasOthers({method,
path},operations){let place=`${path.replace(/\/$/,"")}/`;return method!=="GET"||operations.some(each=>each.path!==path?each.
path.startsWith(place)&&each.path!==place:each.method!==method)}function writeOf(document,endpoint){let{method,path}=endpoint,
line=`${method} ${path}`,form=formFromOpenApi(withValues(document,endpoint),endpoint,!0);if(typeof form=="string")return{
line,reason:form};let reason="writes, so it was not tried";if(form.body?.kind!=="json")return{line,reason};let written2={
path:form.endpoint.path,method,body:form.body.value};return JSON.stringify(written2).length>longestForm?{line,reason}:{line,
form:written2,reason}}var longestForm=500;function documentedEndpoints(document){let{candidates,others}=candidatesOf(document);
return limited([...candidates.map(({endpoint:{path}})=>({line:path,reason:"was not checked"})),...others])}function isStated(document,parameter){
let schema=resolved(document,memberOf(parameter,"schema"));return statedValue(document,parameter)!==void 0||statedValue(
document,schema)!==void 0}function withValues(document,{method,path},more){let name=method.toLowerCase(),item2=memberOf(
memberOf(document,"paths"),path),withOne=parameter=>{let place=memberOf(parameter,"in");if(isStated(document,parameter)||
place!=="path"&&place!==more)return parameter;let value=place==="path"?invented:valueOfSchema(document,memberOf(parameter,
"schema"));return{...Object(parameter),example:value}},stated=parameters=>Array.isArray(parameters)?parameters.map(withOne):
parameters,own=memberOf(item2,name);return{...Object(document),paths:{[path]:{...Object(item2),parameters:stated(memberOf(
item2,"parameters")),[name]:{...Object(own),parameters:stated(memberOf(own,"parameters"))}}}}}var invented="loadtest-inv\
ented";function limited(all){let sorted=all.toSorted((a2,b2)=>rankOf2(a2)-rankOf2(b2)),measured=sorted.filter(({reason})=>reason===
void 0),kept=new Set(byTurns(measured).slice(0,mostMeasured));return sorted.map(each=>each.reason===void 0&&!kept.has(each)?
{...each,reason:"left out for brevity"}:each).toSorted((a2,b2)=>rankOf2(a2)-rankOf2(b2)).slice(0,mostShown2)}function byTurns(endpoints){
return[...groupBy(endpoints,({line})=>isHealth(line)?void 0:partOf(line))].flatMap(([part,own])=>own.map((each,turn)=>({
each,turn:part===void 0?Number.POSITIVE_INFINITY:turn}))).toSorted((a2,b2)=>a2.turn===b2.turn?0:a2.turn-b2.turn).map(({each})=>each)}
function partOf(line){return line.replace(/^[A-Z]+ /,"").split(/[/?]/).find(part=>part!==""&&!/^(?:api|v\d+|\{.*)$/.test(
part))??""}function rankOf2({line,reason}){return reason!==void 0?2:isHealth(line)?1:0}function readyPathIn(document){let paths=operationsOf(
document).filter(({method,path})=>method==="GET"&&path!=="/"&&!path.includes("{")).map(({path})=>path).toSorted((a2,b2)=>a2.
length-b2.length);return paths.find(isHealth)??paths[0]}function isHealth(line){return/\/(?:health|healthz|health-?check|livez?|readyz?|ping|status|metrics|version)\/?$/.
test(line)}var route=/^[ \t]*(?:@\w+\.(?:get|route)\(\s*|(?:Route|path)\(\s*|\w+\.add_api_route\(\s*|@get\(\s*)["'](\/?[\w./-]*)["']/gm;
function routesIn(files2){let paths=files2.filter(({path})=>path.endsWith(".py")).flatMap(({text})=>[...text.matchAll(route)].
map(([,path=""])=>`/${path.replace(/^\//,"")}`));return limited([...new Set(paths)].map(line=>({line,reason:void 0})))}function socketsIn(document){
let listed2=memberOf(document,"x-websockets");if(!Array.isArray(listed2))return[];let paths=listed2.filter(each=>typeof each==
"string"&&/^\/[!-~]{0,500}$/.test(each));return[...new Set(paths.map(String))]}var socketTrial=["ping","ping"];function socketFrom(path,reply){
let line=lineOf2(path),because=reason=>({line,reason});if(typeof reply=="string")return because(`could not be opened: ${shortenEnd(
visibleLine(reply),80)}`);let{status,answers=0}=reply;return status===101&&answers>=socketTrial.length?{line,reason:void 0}:
because(status===101?"opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md":status===401||status===
403?`needs a login (${status}); set up \`login\``:`could not be opened (${status})`)}function unknownSocket(path){let[,name]=/\{(\w+)/.
exec(path)??[];return name===void 0?void 0:{line:lineOf2(path),reason:`needs a ${name}: set \`params\``}}function documentedSockets(document){
return socketsIn(document).map(path=>unknownSocket(path)??{line:lineOf2(path),reason:"was not checked"})}function lineOf2(path){
return`WS ${path}`}var replacementFile="app_without_login.py",replacementApp="app_without_login:app";function moduleWithoutLogin(app,replaced2){
let[,module="",name="",call=""]=/^([\w.]+):(\w+)(\(\))?$/.exec(app)??[],guards=[...replaced2].flatMap(([each,value])=>{let[
,from="",guard=""]=/^([\w.]+):([\w.]+)$/.exec(each)??[];return isGuard(guard)&&!/(?:^|\.)(?:tests?|conftest)\b/.test(from)?
[{from,guard,value}]:[]});if(module===""||guards.length===0)return[];let imports=[`${module}:${name}`,...guards.map(({from,
guard})=>`${from}:${guard.replace(/\..*/,"")}`),...guards.flatMap(({value})=>value?.imports??[])];return[...[...new Set(
imports)].map(each=>each.replace(/^(.+):(.+)$/,"from $1 import $2").replace(/^(.+):$/,"import $1")),...call===""&&name===
"app"?[]:[`app = ${name}${call}`],...guards.map(({guard,value})=>`app.dependency_overrides[${guard}] = lambda: ${value?.
source??"..."}`)]}function proposeReplacement(app,replaced2){let lines=moduleWithoutLogin(app,replaced2);return lines.length===
0?[]:[{reason:`The tests replace the login. To request what it guards, ${!lines.some(line=>line.endsWith("lambda: ..."))?
"run `init --replace-login --overwrite`, or save the lines below":"save the lines below, with what the tests return in p\
lace of the dots,"} as ${replacementFile} next to the app's modules and use this \`app\`. The cost of the login is then no\
t in the figures.`,lines:[`app: ${replacementApp}`,...lines.map(line=>`  ${line}`)]}]}var shortestToken=8,mostTokens=1e4;function credentialsOf(requests){let given=new Map,found2=new Map;for(let request of requests){
let credential=headerCredential(request,given)??cookieCredential(request,given);if(credential!==void 0&&found2.set(request,
credential),!(request.status>=400||given.size>mostTokens)){for(let[place,value]of textsIn(jsonOf(request.reply)))value.length>=
shortestToken&&!given.has(value)&&given.set(value,{from:request,place});for(let[name,value]of request.cookies.flatMap(cookieOf))
given.has(`cookie ${name}=${value}`)||given.set(`cookie ${name}=${value}`,{from:request,place:name})}}return found2}function spareCredentials(requests){
return requests.toReversed().flatMap(from=>{let sent=from.status<300&&isSignIn.test(from.path)?fieldsOf(from):void 0,isSecret2=Object.
keys({...Object(sent?.form),...Object(sent?.json)}).some(name=>/password|passwd|pwd/i.test(name)),[place]=tokenPlacesIn(
jsonOf(from.reply));if(sent===void 0||!isSecret2||place===void 0)return[];let login={...sent,...place!=="access_token"&&
{token:place}};return[{from,headers:["authorization"],login}]})}function headerCredential({headers},given){for(let[name,
value]of Object.entries(headers)){if(name==="cookie"||name==="content-type")continue;let[,scheme="",token=""]=/^(?:([!-~]+) +)?([!-~]+)$/.
exec(value)??[],source=given.get(token);if(source===void 0)continue;let sent=fieldsOf(source.from);if(sent===void 0)continue;
let isUsual=name==="authorization";return{from:source.from,headers:[name],login:{...sent,...source.place!=="access_token"&&
{token:source.place},...!isUsual&&{header:titled(name)},...scheme!=="Bearer"&&{scheme}}}}}function cookieCredential({headers},given){
for(let pair of(headers.cookie??"").split(/; */)){let source=given.get(`cookie ${pair}`);if(source===void 0)continue;let sent=fieldsOf(
source.from);if(sent!==void 0)return{from:source.from,headers:["cookie"],login:{...sent,token:{cookie:source.place}}}}}function fieldsOf({
method,path,query,headers,body}){let isPath=/^\/[!-~]*$/.test(path);if(method!=="POST"||!isPath||query!=="")return;if((headers["\
content-type"]??"").startsWith("application/x-www-form-urlencoded")){let fields3=Object.fromEntries(new URLSearchParams(
body));return isPlain4(fields3)?{path,form:fields3}:void 0}let value=jsonOf(body),fields2=Object.fromEntries(textsIn(value));
return value!==void 0&&leavesIn(value)===Object.keys(fields2).length&&isPlain4(fields2)?{path,json:fields2}:void 0}function isPlain4(fields2){
let values=Object.values(fields2);return values.length>0&&values.every(value=>/^[^\r\n]*$/.test(value)&&!/\{\w+\}/.test(
value))}function textsIn(value,before="",depth=0){return typeof value=="string"?before===""?[]:[[before,value]]:typeof value!=
"object"||value===null||Array.isArray(value)||depth>4?[]:Object.entries(value).flatMap(([name,each])=>name.includes(".")||
name===""?[]:textsIn(each,before===""?name:`${before}.${name}`,depth+1))}function leavesIn(value){return typeof value=="\
object"&&value!==null?Object.values(value).reduce((sum,each)=>sum+leavesIn(each),0):1}function cookieOf(header){let[,name,
value]=/^\s*([\w!#$%&'*+.^`|~-]+)=([^;]*)/.exec(header)??[];return name===void 0||value===void 0||value===""?[]:[[name,value]]}
function titled(header){return header.replaceAll(/(?:^|-)[a-z]/g,start=>start.toUpperCase())}var mostOfRoute=3,mostRows=500,mostOthers=100;function learn(recording,document){let operations=operationsOf(document),requests=recording.
requests.map(each=>asInApp(each,operations)),credentials=credentialsOf(requests),worked=requests.filter(({status})=>status<
300),placed3=groupBy(worked,request=>`${request.method} ${templateOf(request,operations)}`),accounts2=likeliest([...placed3.
values()],credentials),spare=spareOf(worked,accounts2),[login]=accounts2,valuesOf2=({values})=>values.flatMap(number2=>recording.
replacements.get(number2)??[]),replaced2=replacedIn([...placed3.values()],valuesOf2),isOfChosen=request=>valuesOf2(request).
some(({name,source})=>isGuard(name)&&replaced2.get(name)?.source===source),routes=[...placed3.values()].flatMap(requests2=>{
let chosen2=requests2.filter(isOfChosen),all=(chosen2.length>0?chosen2:requests2).toSorted((a2,b2)=>rankOf3(a2,credentials,
login)-rankOf3(b2,credentials,login)).flatMap(request=>{let read=requestOf(request,templateOf(request,operations),credentials.
get(request),login);return read===void 0?[]:[{request,read}]}),different=[...new Map(all.map(each=>[JSON.stringify({...each.
read,test:""}),each])).values()];return different.length===0?[]:[different.slice(0,mostOfRoute)]}),needing=[...[...accounts2,
...spare].map(({from})=>from),...[0,1,2].flatMap(place=>routes.flatMap(each=>each[place]?.request??[]))];return{routes:routes.
map(each=>each.map(({read})=>read)),logins:accounts2.flatMap(({login:value,from})=>{let reason=`the account of the tests\
 with which most endpoints answer: ${from.test}`;return[...(typeof value.form=="object"?withScopes(document,value.form):
[]).map(form=>({...value,form})),value].map(each=>({key:"login",value:each,reason}))}),spare:spare.map(({login:value,from})=>({
key:"login",value,reason:`an account of the tests: ${from.test}`})),rows:rowsFor(needing,recording),replaced:replaced2}}
function replacedIn(routes,valuesOf2){let names2=new Set(routes.flat().flatMap(({overrides})=>overrides)),values=routes.
flatMap(requests=>[...new Map(requests.flatMap(valuesOf2).map(each=>[`${each.name} ${each.source}`,each])).values()]);return new Map(
[...names2].map(name=>{let own=groupBy(values.filter(each=>each.name===name),({source})=>source);return[name,[...own.values()].
toSorted((a2,b2)=>b2.length-a2.length)[0]?.[0]]}))}var mostAccounts2=4;function likeliest(routes,credentials){let opened=new Map;
for(let[route2,requests]of routes.entries())for(let credential of requests.flatMap(each=>credentials.get(each)??[])){let key=JSON.
stringify(credential.login),known2=opened.get(key)??{credential,routes:new Set};opened.set(key,known2),known2.routes.add(
route2)}let chosen2=[],left=new Set(routes.keys()),newOf=each=>[...each.routes].filter(route2=>left.has(route2)).length;
for(;chosen2.length<mostAccounts2;){let[best]=[...opened.values()].toSorted((a2,b2)=>newOf(b2)-newOf(a2));if(best===void 0||
newOf(best)===0)break;chosen2.push(best.credential);for(let route2 of best.routes)left.delete(route2)}return chosen2}var mostSpare=2;
function spareOf(worked,used){let keyOf2=({login})=>JSON.stringify(login),known2=new Set(used.map(keyOf2)),others=spareCredentials(
worked).filter(each=>!known2.has(keyOf2(each)));return[...new Map(others.map(each=>[keyOf2(each),each])).values()].slice(
0,mostSpare)}function rankOf3(request,credentials,login){let own=credentials.get(request);return own===void 0?1:JSON.stringify(
own.login)===JSON.stringify(login?.login)?0:2}function asInApp(request,operations){let{method,path}=request,own=operations.
filter(each=>each.method===method);if(own.some(each=>valuesIn(path,each.path)!==void 0))return request;let length=path.split(
"/").length,found2=own.filter(each=>{let segments=each.path.split("/"),end=segments.slice(1-length),isNamed=end.some(segment=>segment!==
""&&!segment.includes("{"));return segments.length>length&&isNamed&&valuesIn(path,`/${end.join("/")}`)!==void 0}),[only,
...others]=found2;if(only===void 0||others.length>0)return request;let prefix=only.path.split("/").slice(0,1-length);return prefix.
some(segment=>segment.includes("{"))?request:{...request,path:`${prefix.join("/")}${path}`,route:only.path}}function templateOf({
method,path,route:route2},operations){let fitting=operations.filter(each=>each.method===method&&valuesIn(path,each.path)!==
void 0);return(fitting.find(each=>each.path===path)??fitting.find(each=>each.path===route2)??fitting[0])?.path??escaped(
path)}function valuesIn(path,template){let[segments,wanted]=[path.split("/"),template.split("/").map(each=>each.split(/\{\w+\}/))];
if(segments.length!==wanted.length||wanted.flat().some(part=>/[{}]/.test(part)))return;let found2=segments.map((segment,index)=>betweenParts(
segment,wanted[index]??[],1));if(found2.includes(void 0))return;let values=found2.flatMap(each=>each??[]);return Object.
fromEntries(placeholdersIn(template).map((name,index)=>[name,values[index]??""]))}function escaped(path){return encodeURI(
path).replaceAll(/[{}[\]?#]/g,encodeURIComponent)}function requestOf({method,path,query,headers,body,test:test2,overrides},template,credential,login){
let params=valuesIn(path,template)??{},sent=bodyOf(body,headers["content-type"]??"");if(body!==""&&(method==="GET"||method===
"HEAD"))return;let named4=Object.entries(params).map(pair=>pair.join("="));if(webToken2.test(`${path} ${query} ${body}`)||
namedToken.test(`${named4} ${query} ${body}`)||!(/^[!-~]*$/.test(query)&&!/[{}]/.test(query))||sent===void 0||template.length+
query.length>1400)return;let carried=new Set([...credential?.headers??[],...login?.headers??[],"cookie"]),others=Object.
entries(headers).filter(([name])=>name!=="content-type"&&!carried.has(name)),isSecret2=others.some(([,value])=>looksSecret(
value)),kept=others.filter(([,value])=>!looksSecret(value)&&isPlain5(value)),isGuarded2=credential===void 0&&(isSecret2||
headers.cookie!==void 0);return{method,template,params:Object.fromEntries(Object.entries(params).map(([name,value])=>[name,
numbered(value)])),query:query===""?"":`?${query}`,headers:Object.fromEntries([...kept.map(([name,value])=>[titled(name),
value]),...sent.headers]),body:sent.value,test:test2,lacks:lackOf(isGuarded2,overrides)}}function lackOf(isGuarded2,overrides){
if(isGuarded2)return"its test makes the token itself";let names2=overrides.map(each=>each.replace(/^.*:/,"")).filter(name=>/^[\w.]+$/.
test(name));return names2.length===0?void 0:`its test replaces ${names2.join(" and ")}`}var webToken2=/\b[\w-]{10,}\.(?:[\w-]{10,}\.[\w-]{10,}|[\w-]{6}\.[\w-]{27}(?![\w-]))/,
namedToken=/token"?\s{0,9}[:=]\s{0,9}"?[\w+/=-]{24,}/i;function looksSecret(value){return/^(?:bearer|token|jwt) /i.test(
value)||webToken2.test(value)}function isPlain5(text){return/^[ -~]*$/.test(text)&&!/\{\w+\}/.test(text)}function bodyOf(body,type){
if(body==="")return{value:void 0,headers:[]};if(/\{\w+\}/.test(body)||type.startsWith("multipart/"))return;let value=type===
""||type.includes("json")?jsonOf(body):void 0;return value!==void 0&&typeof value!="string"?{value,headers:[]}:isPlain5(
type)?{value:body,headers:[["Content-Type",type]]}:void 0}function numbered(value){return/^(?:0|[1-9]\d{0,14})$/.test(value)?
Number(value):value}function rowsFor(requests,{rows}){let[own,others]=[new Map,new Map];for(let request of requests)for(let number2 of request.
rows){let row=rows.get(number2),found2=row?.test===request.test?own:others;row!==void 0&&!found2.has(row.key)&&found2.set(
row.key,row)}let inOrder2=all=>[...all.values()].toSorted((a2,b2)=>a2.number-b2.number),left=inOrder2(others).filter(({key})=>!own.
has(key));return[...inOrder2(own).slice(0,mostRows),...left.slice(0,mostOthers)]}function writtenAs({method,template,params,
query,headers,body}){let lists=Object.entries(params).map(([name,value])=>[name,[value]]);return{path:template+query,...method!==
"GET"&&{method},...lists.length>0&&{params:Object.fromEntries(lists)},...Object.keys(headers).length>0&&{headers},...defined(
{body})}}var mostTried=150;async function tryCandidates(candidates,running,circumstances){let replies=new Map,requests=new Map,refusals2=new Map,
lacking=[],found2=new Map,said={replies,requests,refusals:refusals2,lacking},trials={...said,...circumstances},tried=candidates.
slice(0,mostTried);for(let each of tried.toSorted((a2,b2)=>a2.names.length-b2.names.length))found2.set(each,await tryOne(
each,running,trials));return{endpoints:tried.flatMap(each=>found2.get(each)??[]),...said}}async function tryOne({endpoint,
form,names:names2,lacks:unstated},running,{replies,requests,refusals:refusals2,lacking,isFilledByRequests,isLoggedIn,account,
lists}){let line=endpoint.path,isInvented=unstated!==void 0,lacks=free2=>(lacking.push(line),{line,reason:lackOf2(free2)}),
{filled,free}=await valuesOf({endpoint,form,names:names2},running,{replies,lists,account,isFilledByRequests}),guesses=guessesFor(
running.document,line,free),request=requestFor(form,filled,guesses?.map(([name,first])=>[name,first])??[]);if(requests.set(
line,request),guesses===void 0)return lacks(free);let isFixed=({values,written:written3})=>Array.isArray(written3)&&values.
every(isRandomKey);if(isFilledByRequests&&[...filled.values()].some(isFixed))return{line,reason:"has random keys, which \
differ between the versions: seed them in an SQL file"};let logged=running.log(),reply=await running.send(request);if(typeof reply==
"string")return await answersAgain(running),{line,reason:`did not answer: ${shortenEnd(visibleLine(reply),80)}`};if(reply.
isEndless===!0)return{line,reason:"is a stream without an end: request one that ends, docs/endpoints.md"};let slow=tooSlow(
reply);if(slow!==void 0)return{line,reason:slow};if(names2.length===0&&reply.status<300&&replies.set(line,reply),reply.status<
300&&!isInvented&&isEmptyList(jsonOf(reply.body))&&lacking.push(line),reply.status===404&&free.length>0)return lacks(free);
if(reply.status>=400){if(refusals2.set(line,reply),reply.status===404&&!isInvented&&lacking.push(line),isInvented&&![401,
403].includes(reply.status))return{line,reason:unstated};reply.status>=500&&await answersAgain(running);let raised=running.
log()===logged?void 0:exceptionIn(running.log()),isForbidden=isLoggedIn&&reply.status===403;return{line,reason:refusal2(
reply,{isFilled:filled.size>0,isForbidden,raised})}}let redirect=redirectIn(reply,running.baseUrl);if(redirect!==void 0)
return{line,reason:`answers ${redirect}: ${redirectRemedy(line,redirect)}`};if(free.length>0){let other=requestFor(form,
filled,guesses.map(([name,,second])=>[name,second]));if(!isAnswerToAll(reply,await running.send(other),guesses))return lacks(
free)}let written2=[...[...filled].map(([name,each])=>[name,each.written]),...guesses.map(([name,first])=>[name,[first]])],
isStream=isEventStream(reply.headers?.["content-type"]?.[0]),measured={reason:void 0,...isStream&&{isStream}},whole=form.
endpoint.path;return requests.set(whole,request),written2.length===0?{line:whole,...measured}:{line:whole,params:Object.
fromEntries(written2),...measured}}var mostWaits=3;async function answersAgain(running){for(let wait=0;wait<mostWaits;wait+=
1)if(typeof await running.send({method:"GET",path:"/",isWaiting:!0})!="string")return}function lackOf2(free){return`need\
s ${free.map(each=>`${/^[aeiou]/i.test(each)?"an":"a"} ${each}`).join(" and ")} that exists: seed one, or set \`params\``}
function requestFor(form,filled,guessed){let guesses=new Map(guessed),values=Object.fromEntries(Object.entries(form.params).
map(([name,source])=>{let guess=guesses.get(name),stated=source.kind==="list"?source.values:[];return[name,filled.get(name)?.
values??(guess===void 0?stated:[guess])]})),{rows,headers}=materialOf(form,values);return{method:"GET",path:rows[0]?.path??
form.endpoint.path,headers}}async function valuesOf({endpoint,form,names:names2},running,known2){let filled=new Map,free=[];
for(let name of names2){let source=form.params[name];if(source?.kind!=="list"||source.values[0]!==invented)continue;let found2=await existing(
endpoint.path,name,running,known2);found2===void 0?free.push(name):filled.set(name,found2)}return{filled,free}}var fewestOwn=5;
async function existing(path,name,running,{replies,lists,account,isFilledByRequests}){let[,made]=[...lists].find(([list])=>`${path}\
/`.startsWith(`${withoutSlash(list)}/`))??[],named4=made?.[name];if(named4!==void 0)return{values:[named4],written:[named4]};
let upTo=path.slice(0,path.indexOf(`{${name}}`)+name.length+2),fewest=isFilledByRequests?1:fewestOwn,own=account===void 0?
[]:ownQueriesFor(upTo,name,running.columns,account);for(let query of[...own,...queriesFor(upTo,name,running.columns)]){let values=(await running.
ask(query)).map(each=>typeof each=="number"?each:String(each));if(values.length>=(own.includes(query)?fewest:1))return{values,
written:{sql:query}}}for(let list of listPaths(upTo)){let reply=replies.get(list),values=reply===void 0?[]:valuesInList(
upTo,name,jsonOf(reply.body));if(values.length>0)return{values,written:values}}}function refusal2({status,body},{isFilled,
isForbidden,raised}){let said=status>=500&&raised!==void 0?shortenEnd(visibleLine(raised),160):replyWords(body),quoted2=said===
""?"":`: ${said}`;return isForbidden?`needs an account with more rights (${status}${quoted2}): seed one, and set \`login\``:
status===401||status===403?`needs a login (${status}${quoted2}); set up \`login\``:status===404&&isFilled?"needs somethi\
ng that exists: seed it, or set `params`":`answered ${status}${quoted2}`}function rankOf4({method,template}){return/\b(?:log|sign)[-_]?out\b/i.test(template)?4:["POST","PUT","PATCH","DELETE"].indexOf(
method)}async function tryLearned({routes},running,wanted,renew){let endpoints=new Map,requests=new Map,documented=new Set(
operationsOf(running.document).map(({method,path})=>`${method} ${path}`)),isRead=({method})=>method==="GET"||method==="H\
EAD",mine=routes.flat().filter(each=>isRead(each)===(wanted==="reading")&&!isDocumentation.test(each.template));for(let learned of mine.
toSorted((a2,b2)=>rankOf4(a2)-rankOf4(b2))){let name=`${learned.method} ${learned.template}`;if(endpoints.get(name)?.reason===
void 0&&endpoints.has(name))continue;let tried=await tryOne2(learned,running,{isTwice:wanted==="writing",renew});tried.isForeign===
!0&&!documented.has(name)||(tried.reason===void 0&&requests.set(tried.line,sentAs(learned)),(tried.reason===void 0||!endpoints.
has(name))&&endpoints.set(name,tried))}return{endpoints,requests}}async function tryOne2(learned,running,{isTwice,renew}){
let{method,template,lacks}=learned,written2={line:method==="GET"?template:`${method} ${template}`,form:writtenAs(learned),
from:learned.test};for(let time=0;time<(isTwice?2:1);time+=1){let reply=await running.send(sentAs(learned));typeof reply!=
"string"&&reply.status===401&&renew!==void 0&&(await renew(),reply=await running.send(sentAs(learned))),typeof reply=="s\
tring"&&await answersAgain(running);let problem=problemOf(reply);if(problem===void 0)continue;let isForeign=typeof reply!=
"string"&&(reply.status===404||reply.status===405);if(time>0)return{...written2,reason:`${problem} to the same request a\
gain`};let reason=lacks===void 0?problem:`${problem}: ${lacks}`;return{...written2,reason,...isForeign&&{isForeign}}}return{
...written2,reason:void 0}}function problemOf(reply){if(typeof reply=="string")return`did not answer: ${shortenEnd(visibleLine(
reply),80)}`;if(reply.isEndless===!0)return"is a stream without an end: request one that ends, docs/endpoints.md";let slow=tooSlow(
reply);if(slow!==void 0)return slow;let said=replyWords(reply.body);return reply.status<300?void 0:`answered ${reply.status}${said===
""?"":`: ${said}`}`}function sentAs(learned){let{forms}=readEndpoints(endpointsSchema.parse([writtenAs(learned)]),()=>"i\
nit"),values=Object.fromEntries(Object.entries(learned.params).map(([name,value])=>[name,[value]])),{method,template:path}=learned,
[sent]=forms.map(form=>{let{headers,rows}=materialOf(form,values);return{path,...rows[0],headers:{...headers,...rows[0]?.
headers}}});return{method,path,...sent}}var isFlag=/^(?:is_|has_)?(?:e?mail_)?(?:verified|confirmed|activated|approved|active)$/i;async function confirmAccounts({
columns,ask},fields2){let sql=[];for(let{schema,table:table2,column}of columns){let isOfAccount2=columns.some(each=>each.
table===table2&&each.column in fields2);if(!isFlag.test(column)||!isOfAccount2)continue;let[place,flag]=[`${quoted(schema)}\
.${quoted(table2)}`,quoted(column)];if((await ask(`UPDATE ${place} SET ${flag} = true WHERE ${flag} = false RETURNING 1`)).
length===0)continue;let name=`confirmed_${sql.length}`;sql.push(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpg\
sql AS $$ BEGIN NEW.${flag} := true; RETURN NEW; END $$;`,`CREATE TRIGGER ${name} BEFORE INSERT ON ${place} FOR EACH ROW\
 EXECUTE FUNCTION ${name}();`)}let test2="New accounts are confirmed";return sql.length===0?void 0:sql.map(each=>({test:test2,
sql:each}))}async function makeRows(running,tried,{before,identity}){let sent=new Set(before.map(pathOf)),lines=[],lists=new Map,makers=rowMakersFor(
running.document,tried.lacking,path=>knownFor(path,tried,identity));for(let{path,values,lines:ways}of makers){if(lists.has(
path)||ways.some(line2=>sent.has(pathOf(line2))))continue;let line=await firstThatWorks(running,ways);line!==void 0&&(lines.
push(line),path.includes("{")&&lists.set(path,values))}return{lines,lists}}var mostPasses=3;async function writeRows(ask,rows){
let written2=[],waiting=rows;for(let pass=1,before=-1;pass<=mostPasses&&written2.length>before;pass+=1){before=written2.
length;let refused=[];for(let row of waiting){let insert=insertOf(row),result=await ask(insert??row.sql);(insert===void 0||
result.length>0?written2:refused).push(row)}waiting=refused}return rows.length>0&&await ask(numbersGoOn),written2}function knownFor(path,tried,identity){
let answered2=Object.fromEntries(placeholdersIn(path).flatMap(name=>{let value=answeredWith(path,name,tried);return value===
void 0?[]:[[name,value]]})),own=Object.fromEntries(Object.entries(identity).filter(([name])=>path.includes(`{${name}}`))),
whole=[{...answered2,...own},answered2].filter(each=>placeholdersIn(path).every(name=>name in each));return Object.keys(
own).length===0?whole.slice(0,1):whole}function answeredWith(path,name,{endpoints,requests}){let upTo=path.slice(0,path.
indexOf(`{${name}}`)+name.length+2),place=upTo.split("/").length-1;return endpoints.filter(({line,reason})=>reason===void 0&&
line.startsWith(upTo)).map(({line})=>requests.get(line)?.path.split(/[/?]/)[place]??"").find(each=>/^[\w.@+-]+$/.test(each))}
function pathOf(line){return line.split(" ")[1]??""}async function firstThatWorks(running,lines){for(let line of lines){
let all=requestsOf(line),accepted2=await acceptedOf(running,all);if(accepted2>0&&accepted2===all.length)return line;if(accepted2>
0)return line.replaceAll("{n}","1")}}async function acceptedOf(running,requests){for(let[index,request]of requests.entries()){
let reply=await running.send(request);if(typeof reply=="string"||reply.status>=300)return index}return requests.length}async function sendLine(running,line){
let[first]=requestsOf(line);return first===void 0?"it is not a request":await running.send(first)}function requestsOf(line){
let request=seedRequestOf(line);return typeof request=="string"?[]:eachRequest(request)}function refusedIn({endpoints,refusals:refusals2},document){return endpoints.flatMap(({line})=>({line,reply:refusals2.get(
line)??noReply})).filter(({line,reply})=>isClosed(reply)||reply.status===500&&isGuarded(document,line))}function isGuarded(document,path){
let security=memberOf(memberOf(memberOf(memberOf(document,"paths"),path),"get"),"security");return Array.isArray(security)&&
security.length>0}var noReply={status:0,body:""};function logInAs(running,{value}){return running.logIn(readLogin(loginSchema.
parse(value),"init"))}async function newAccount(running,tried){let failing,refused;for(let account of running.hasDatabase?
accountsIn(running.document):[]){let reply=await sendLine(running,account.line);if(typeof reply=="string")continue;if(reply.
status===500&&(failing=running.log()),reply.status>=400){let isThere=reply.status!==404||!/^\{"detail":"Not Found"\}$|^Not Found$/.
test(reply.body.trim());![401,403,405].includes(reply.status)&&isThere&&(refused??=noAccount(account,reply,failing));continue}
let{value:usual2,denied}=await loginOf2(running,account,tried),confirming2=usual2===void 0?await confirmAccounts(running,
account.fields):void 0,value=confirming2===void 0?usual2:(await loginOf2(running,account,tried)).value;refused??=denied;
let reason="an account that the first seed-request creates";if(value!==void 0)return{account:{line:account.line,login:{key:"\
login",value,reason}},...defined({confirming:confirming2})}}return{...defined({failing,refused})}}function noAccount({line},{
status,body},log=""){let said=replyWords(tellingLine(log)??body,160);return`no account could be created: ${line.split(" ",
2).join(" ")} answered ${status}${said===""?"":`: ${said}`}`}async function loginOfFirst(running,user,tried){let stated=findLogin(
running.document,user),refused=stated&&await logInAs(running,stated);if(stated!==void 0&&refused===void 0)return{login:stated,
refused};let{setting,password:password4}=user,reason=`the app's own first user (${setting}), by a request that returns a\
 token`;for(let username2 of[user.username,...user.others??[]]){let{value}=await loginOf2(running,{fields:{email:username2,
username:username2,password:password4}},tried);if(value!==void 0)return{login:{key:"login",value,reason},refused:void 0}}
return{login:void 0,refused}}async function loginOf2(running,account,tried){let closed=refusedIn(tried,running.document).
slice(0,mostClosed),denied;for(let{path,kind,fields:fields2}of tokenRequestsIn(running.document,account)){let request={path,
encoding:kind,fields:fields2,token:"",header:"",scheme:""},reply=await running.send({method:"POST",path,...bodyOfLogin(request)});
if(typeof reply!="string"){if(reply.status>=400){let said=replyWords(reply.body,120);said!==""&&reply.status<500&&(denied??=
`POST ${path} answers ${reply.status} to a new account (${said}); seed an account that may log in, and set up \`login\``);
continue}for(let rest of waysOf(reply,running.document)){if(await logInAs(running,{value:{path,[kind]:fields2,...rest}})!==
void 0)continue;let known2=await repliesTo(running,tried,closed),isOpen=({now,before})=>!isClosed(now)&&(now.status!==500||
before.status!==500);if(known2.some(isOpen))return{value:{path,[kind]:fields2,...rest}};let other=known2.find(({now,before})=>now.
status===403&&now.body!==before.body);if(other!==void 0){let{line,now:opened}=other;denied??=`${line} answers 403 to a n\
ew account (${replyWords(opened.body,120)}); seed an account that may request it, and set up \`login\``}}}}return denied===
void 0?{}:{denied}}var mostClosed=5;async function repliesTo(running,{requests},closed){let found2=[];for(let{line,reply:before}of closed){
let request=requests.get(line),now=request===void 0?"it was not requested":await running.send(request);typeof now!="stri\
ng"&&found2.push({line,now,before})}return found2}function waysOf(reply,document){let carriers=carriersIn(document),body=jsonOf(
reply.body);return[...tokenPlacesIn(body).flatMap(token=>withOwnScheme(carriers,schemeIn(body)).map(carrier=>withoutUsual(
{token,...carrier}))),...cookiesIn(reply).map(cookie=>({token:{cookie}}))]}function withOwnScheme(carriers,own){if(own===
void 0||carriers.some(({scheme})=>scheme===own))return carriers;let headers=new Set(carriers.flatMap(({header})=>header===
"Cookie"?[]:header));return[...carriers,...[...headers].map(header=>({header,scheme:own}))]}var usual={token:"access_tok\
en",header:"Authorization",scheme:"Bearer"};function withoutUsual(said){return Object.fromEntries(Object.entries(said).filter(
([name,value])=>Reflect.get(usual,name)!==value))}var isRight=/^(?:is_)?(?:super_?user|super_?admin|admin|administrator|staff)$/i,isRole=/^(?:user_?|account_?)?(?:role|type)(?:_?name)?$/i,
isRoleKey=/^role_?id$/i,longestName2=63;async function promote(running,names2){let columns=running.columns.filter(each=>[
each.schema,each.table,each.column].every(name=>/^\w{1,63}$/.test(name))),own=names2.filter(isSafeName).flatMap(accountName2=>columns.
filter(isAccountName).flatMap(named4=>columns.filter(({schema,table:table2})=>schema===named4.schema&&table2===named4.table).
map(({column})=>({table:placeOf2(named4),column:quoted(column),accountName:accountName2,isOwn:`${quoted(named4.column)} \
= '${accountName2}'`})))),changes=[];for(let each of own)changes.push(...await changed(each,{...running,columns}));if(changes.
length===0)return;let test2="The account is an administrator, because endpoints refuse others";return{rows:changes.flatMap(
({sql})=>sql.map(each=>({test:test2,sql:each}))),undo:async()=>{for(let{before}of changes.toReversed())await running.ask(
before)}}}async function changed(own,running){let{table:table2,column,isOwn:isOwn3,accountName:accountName2}=own,[was]=await running.
ask(`SELECT ${column}::text FROM ${table2} WHERE ${isOwn3}`);for(let value of await rightsFor(own,running,was)){let set=`\
UPDATE ${table2} SET ${column} = ${value} WHERE ${isOwn3}`;if((await running.ask(`${set} AND ${column} IS DISTINCT FROM ${value}\
 RETURNING 1`)).length===0)continue;let rule=`promoted_${accountName2}_${column}`.toLowerCase().replaceAll(/\W/g,"_").slice(
0,longestName2),old=typeof was=="string"?literal2(was):"NULL";return[{sql:[`${set};`,`CREATE FUNCTION ${rule}() RETURNS \
trigger LANGUAGE plpgsql AS $$ BEGIN NEW.${column} := ${value}; RETURN NEW; END $$;`,`CREATE TRIGGER ${rule} BEFORE INSE\
RT ON ${table2} FOR EACH ROW WHEN (NEW.${isOwn3}) EXECUTE FUNCTION ${rule}();`],before:`UPDATE ${table2} SET ${column} =\
 ${old} WHERE ${isOwn3} RETURNING 1`}]}return[]}async function rightsFor({column,table:table2},{columns,ask,document},was){
if(isRight.test(column))return["true"];if(isRoleKey.test(column))return columns.filter(each=>/roles?$/i.test(each.table)&&
/^(?:name|code|slug|title)$/i.test(each.column)).map(each=>`(SELECT id FROM ${placeOf2(each)} WHERE ${quoted(each.column)}\
::text ILIKE '%admin%' ORDER BY 1 LIMIT 1)`);if(!isRole.test(column))return[];let labels=await ask(`SELECT enumlabel::te\
xt FROM pg_enum JOIN pg_attribute ON atttypid = enumtypid WHERE attrelid = '${table2}'::regclass AND attname = '${column}\
' AND enumlabel ILIKE '%admin%' ORDER BY length(enumlabel)`),usual2=typeof was=="string"&&/^[A-Z_]+$/.test(was)?"ADMIN":
"admin";return(labels.length>0?labels.map(String):[...administratorsIn(document),usual2]).filter(each=>/^[\w -]{1,60}$/.
test(each)).map(literal2)}function literal2(text){return`'${text.replaceAll("'","''")}'`}function administratorsIn(document){
let choices=Object.values(Object(memberOf(memberOf(document,"components"),"schemas"))).flatMap(schema=>{let own=memberOf(
schema,"enum"),members=Object.values(Object(memberOf(schema,"properties"))).map(each=>memberOf(each,"enum"));return[own,
...members].flatMap(each=>Array.isArray(each)?each:[])});return[...new Set(choices.filter(each=>typeof each=="string"&&/admin/i.
test(each)).map(String))]}async function asGiven(asking){return{login:void 0,...await answersTo(asking,void 0)}}async function answersTo({running,
learned,guessed},login,isFilled=!1){let reading=await tryLearned(learned,running,"reading");return{reading,tried:await guessed(
login,reading,isFilled)}}async function chooseAccount(asking,{firstUsers,keys}){let{running,learned,guessed}=asking,{document}=running,
opened=await openLearned(learned,running),account={...opened,tried:await guessed(opened.login,opened.reading,!1)},isClosed2=()=>refusedIn(
account.tried,document).length>0,takes=async login2=>{let answers=await answersTo(asking,login2,account.made!==void 0),isTaken=isMore(
answers,account,document);return isTaken&&(account={...account,...answers,login:login2,refused:void 0}),isTaken};if(account.
login===void 0&&isClosed2()){for(let login2 of[...learned.spare,...keyLogins(document,keys)])if(await logInAs(running,login2)===
void 0&&await takes(login2))break;account.login===void 0&&running.logOut()}let{login:known2}=account;if(known2===void 0&&
isClosed2())account=await firstOrNew(asking,account,firstUsers);else if(known2!==void 0&&firstUsers.length>0&&isClosed2()){
let{login:login2}=await loginOfAny(running,firstUsers,account.tried);(login2===void 0||!await takes(login2))&&await logInAs(
running,known2)}let{login}=account,promoted=login&&await promotedAs(login,running,account.tried);return login===void 0||
promoted===void 0?account:await takes(login)?{...account,confirming:[...account.confirming??[],...promoted.rows]}:(await promoted.
undo(),await logInAs(running,login),account)}function isMore(now,before,document){let answering2=({reading,tried})=>answeringIn(
reading)+openIn(tried),more=answering2(now)-answering2(before),isOpener=refusedIn(now.tried,document).length<refusedIn(before.
tried,document).length;return more>0||more===0&&isOpener}async function firstOrNew(asking,account,firstUsers){let{running}=asking,
{tried}=account,first=await loginOfAny(running,firstUsers,tried),own=first.login===void 0?await newAccount(running,tried):
{},login=first.login??own.account?.login,{failing,confirming:confirming2}=own,refused=account.refused??first.refused??own.
refused;if(login===void 0)return running.logOut(),{...account,failing,confirming:confirming2,refused};let made=own.account?.
line;return{...await answersTo(asking,login,made!==void 0),login,made,failing,confirming:confirming2}}async function loginOfAny(running,users,tried){
let refused;for(let user of users){let found2=await loginOfFirst(running,user,tried);if(found2.login!==void 0)return found2;
refused??=found2.refused}return{login:void 0,refused}}async function openLearned(learned,running){let opened=[],refused;
for(let login of learned.logins){let problem=await logInAs(running,login);if(refused??=problem,problem!==void 0)continue;
let reading=await tryLearned(learned,running,"reading");if(opened.push({login,refused:void 0,reading}),answeringIn(reading)===
reading.endpoints.size)break}let[best]=opened.toSorted((a2,b2)=>answeringIn(b2.reading)-answeringIn(a2.reading));return best===
void 0?{login:void 0,refused,reading:await tryLearned(learned,running,"reading")}:(best.login!==void 0&&best!==opened.at(
-1)&&await logInAs(running,best.login),best)}function answeringIn({endpoints}){return[...endpoints.values()].filter(({reason})=>reason===
void 0).length}var mostKeyLogins=6;function keyLogins(document,keys){return keyHeadersIn(document).flatMap(header=>keys.
map(key=>({key:"login",value:{headers:{[header]:key}},reason:"a key that the app reads from a variable"}))).slice(0,mostKeyLogins)}
async function promotedAs(login,running,tried){let isRefused2=[...tried.refusals.values()].some(({status})=>status===403);
if(!running.hasDatabase||!isRefused2)return;let promoted=await promote(running,namesIn3(login));if(promoted===void 0||await logInAs(
running,login)===void 0)return promoted;await promoted.undo()}function openIn({endpoints}){return endpoints.filter(({reason})=>reason===
void 0).length}function namesIn3(login){return["form","json"].flatMap(kind=>Object.entries(Object(memberOf(login?.value,
kind)))).filter(([name])=>!/password|secret|token/i.test(name)).map(([,value])=>String(value))}async function tryApp(started,{firstUsers,keys=[],hasLogin,hidden,learned=nothingLearned}){let{document,startSeconds}=started,
statuses=new Set,running={...started,send:async request=>{let reply=await started.send(request);return typeof reply!="st\
ring"&&statuses.add(reply.status),reply}},found2=candidatesOf(document),guessed=async(login2,reading2,isFilled,lists2=new Map)=>{
let isUnknown=({endpoint:{method,path}})=>{let shown2=reading2.endpoints.get(`${method} ${path}`);return shown2===void 0||
shown2.reason!==void 0};return await tryCandidates(found2.candidates.filter(isUnknown),running,{isFilledByRequests:isFilled,
isLoggedIn:hasLogin||login2!==void 0,account:await accountOf(running,login2),lists:lists2})},asking={running,guessed,learned},
account=hasLogin?await asGiven(asking):await chooseAccount(asking,{firstUsers,keys}),{login,reading}=account,{tried}=account,
seeding=account.made===void 0?[]:[account.made],identity=identityOf(login,tried),lists=new Map;for(let pass=0;running.hasDatabase&&
pass<deepestRows;pass+=1){let made=await makeRows(running,tried,{before:seeding,identity});if(made.lines.length===0)break;
seeding.push(...made.lines);for(let[list,values]of made.lists)lists.set(list,values);tried=await guessed(login,reading,!0,
lists)}tried=withLearned(tried,reading);let steady=await steadyOf(running,tried),writing=await tryLearned(learned,running,
"writing",login&&(()=>logInAs(running,login))),others=found2.others.filter(({line})=>!writing.endpoints.has(line)),checked2=[
...steady,...writing.endpoints.values(),...await trySockets(running)],more=checked2.every(({reason})=>reason!==void 0)?await answering(
running,hidden):[],isFailing=[...tried.refusals.values()].some(({status})=>status===500);return{document,startSeconds,endpoints:limited(
[...more,...checked2,...others]),seeding,login,refused:account.refused,failing:isFailing?running.log():account.failing,...defined(
{confirming:account.confirming}),...statuses.has(429)&&{isLimited:!0}}}var nothingLearned={routes:[],logins:[],spare:[],
rows:[],replaced:new Map},deepestRows=2;async function accountOf({ask,columns},login){for(let query of namesIn3(login).flatMap(
name=>accountQueries(name,columns)))if((await ask(query)).length===1)return query}function identityOf(login,{replies}){let bodies=[
...replies].filter(([path])=>/\/(?:me|self|whoami|profile|user|current[_-]?user)\/?$/.test(path)).map(([,{body}])=>jsonOf(
body)),texts=[...[memberOf(login?.value,"form"),memberOf(login?.value,"json"),...bodies],...bodies.map(each=>memberOf(each,
"user"))].flatMap(each=>Object.entries(Object(each))).flatMap(([name,value])=>["string","number"].includes(typeof value)&&
!/password|secret|token/i.test(name)?[[name.replace(/.*\./,""),String(value)]]:[]);return Object.fromEntries(texts.flatMap(
([name,value])=>[[name,value],[`user_${name}`,value]]))}function withLearned(tried,{endpoints,requests}){let guessed=new Map(
tried.endpoints.map(each=>[nameOf5(each),each])),learned=[...endpoints].filter(([name,{reason}])=>reason===void 0||guessed.
get(name)?.reason!==void 0||!guessed.has(name)),names2=new Set(learned.map(([name])=>name)),others=tried.endpoints.filter(
each=>!names2.has(nameOf5(each)));return{...tried,endpoints:[...learned.map(([,each])=>each),...others],requests:new Map(
[...tried.requests,...requests])}}function nameOf5({line}){return`GET ${line.split("?")[0]}`}var mostSockets=5;async function trySockets(running){
let found2=[];for(let path of socketsIn(running.document).slice(0,mostSockets)){let sent={method:"WS",path,messages:socketTrial};
found2.push(unknownSocket(path)??socketFrom(path,await running.send(sent)))}return found2}var mostHidden=20;async function answering(running,hidden){
let found2=[];for(let path of[...new Set([...hidden.slice(0,mostHidden),"/",openApiPath])]){if(path===openApiPath&&found2.
length>0)continue;let reply=await running.send({method:"GET",path});typeof reply!="string"&&reply.status<300&&found2.push(
{line:path,reason:void 0})}return found2}var atOnce=4,mostRepeated=40;async function steadyOf(running,{endpoints,requests}){
let found2=[],repeated=0;for(let each of endpoints){let request=each.reason===void 0&&each.isStream!==!0?requests.get(each.
line):void 0;if(repeated+=request===void 0?0:1,request===void 0||repeated>mostRepeated){found2.push(each);continue}let reason=await unsteady(
running,request),statements=reason===void 0?await running.countStatements(()=>running.send(request)):void 0;found2.push(
reason===void 0?{...each,...defined({statements})}:{line:each.line,reason})}return found2}async function unsteady(running,request){
let sent={...request,isWaiting:!0},replies=await Promise.all(Array.from({length:atOnce},()=>running.send(sent)));if(replies.
some(reply=>typeof reply=="string"))return await answersAgain(running),`did not answer one of ${atOnce} requests at once\
: too slow to measure`;let failed=replies.flatMap(reply=>typeof reply=="string"||reply.status<400?[]:reply.status);if(failed.
length!==0)return`answered ${failed[0]} to ${failed.length} of ${atOnce} requests at once, but not to a single one`}var owners=[[/function (?:public\.)?uuid_(?:generate_v|nil|ns_)\w*\(/,"uuid-ossp"],[/function (?:public\.)?(?:crypt|gen_salt|digest|hmac|pgp_\w+)\(/,
"pgcrypto"],[/type "(?:public\.)?citext"/,"citext"],[/type "(?:public\.)?hstore"/,"hstore"],[/type "(?:public\.)?ltree"/,
"ltree"],[/operator class "(?:public\.)?gi(?:n|st)_trgm_ops"|function (?:public\.)?(?:word_)?similarity\(/,"pg_trgm"],[/function (?:public\.)?unaccent\(|dictionary "(?:public\.)?unaccent"/,
"unaccent"]];function withExtension(project,{log}){let lines=log.split(`
`).filter(line=>/does not exist/.test(line)),[,extension]=owners.find(([missing])=>lines.some(line=>missing.test(line)))??
[],before=settingOf2(project,"database-extensions")?.value,known2=Array.isArray(before)?before.map(String):[];if(extension===
void 0||known2.includes(extension))return;let setting={key:"database-extensions",value:[...known2,extension],reason:"the\
 tables need them, and no migration creates them"},others=without(project,setting.key).findings,at=others.findIndex(({key})=>fillingKeys.
includes(key));return{project:{...project,findings:others.toSpliced(at===-1?others.length:at,0,setting)},message:`the da\
tabase needs the Postgres extension ${extension}, so it is created first (\`database-extensions\`)`}}var fillingKeys=["m\
igrate-command","seed","seed-command"];function withOtherDriver(project,{log}){if(settingOf2(project,"database-variable")===
void 0)return;let requirements=findRequirements(project.files),[,waiting]=/The loaded '(\w+)' is not async/.exec(log)??[];
if(waiting!==void 0){let reason=`the app's engine is asynchronous, and ${waiting} is not`,driver=["asyncpg","psycopg"].find(
requirements.has);return withStyle(project,driver&&`postgresql+${driver}`,reason,reason)}let wanted=wantedStyles.find(([
said])=>said.test(log))?.[1];if(wanted!==void 0)return withStyle(project,wanted,"the app's error names another beginning\
 of the URL","as the app's error wants it");let[,missing]=/No module named '(psycopg|psycopg2|asyncpg|pg8000)'/.exec(log)??
[],style=missing&&styleWithout(missing,requirements,project.files),why=`the app's URL needs ${missing}, which is not in \
the requirements`;return withStyle(project,style,why,`${missing} is not in the requirements`)}var isRefused=/Connection ?refused|Connect call failed|could not connect to server/i;
function withTestDatabase(project,{log}){let before=settingOf2(project,"database-env");if(before===void 0||!isRefused.test(
log))return;let parts=Object.entries(Object(before.value)),known2=new Set(project.variables.map(({name})=>name)),added=parts.
flatMap(([name,value2])=>[`TEST_${name}`,`${name}_TEST`].filter(each=>known2.has(each)).map(each=>[each,value2])),value={
...Object.fromEntries(parts),...Object.fromEntries(added)};if(Object.keys(value).length===parts.length)return;let names2=added.
map(([name])=>name).join(", ");return{project:withSetting(project,{...before,value}),message:`the app may use its databa\
se for tests, so ${names2} have our address as well (\`database-env\`)`}}var wantedStyles=[[/Can't load plugin: sqlalchemy\.dialects:postgres$/m,
"postgresql"],[/scheme is expected to be either "postgresql" or "postgres"/,"postgresql"],[/missing "=" after "postgresql\+/,
"postgresql"],[/Unknown DB scheme: postgresql/,"postgres"]];function withStyle(project,style,why,reason){let key="databa\
se-url-style";return style===void 0||settingOf2(project,key)?.value===style?void 0:{project:withSetting(project,{key,value:style,
reason}),message:`${why}, so \`${key}\` is ${style}`}}function withoutCommand(project,failure){let failing=failedCommand(
project,failure);return failing&&{project:without(project,failing.key),message:`\`${failing.key}: ${String(failing.value)}\
\` fails here and is left out; replace it with one that works: ${reasonOf4(failure)}`}}function withoutSeedFile(project,{
phase,log}){let own=settingOf2(project,"seed"),paths=[own?.value??[]].flat().map(String),[said=""]=log.split(`
`),failing=phase==="seed"?paths.find(path=>said.includes(`/${path}`)):void 0;if(own===void 0||failing===void 0)return;let value=paths.
filter(path=>path!==failing),reason=said.slice(said.lastIndexOf(failing)+failing.length).replace(/^[:,] /,"");return{project:value.
length===0?without(project,own.key):withSetting(project,{...own,value}),message:`${failing} fails here and is left out o\
f \`seed\`: ${reason.slice(0,200)}`}}function failedCommand(project,{detail}){return detail?.kind==="command"?settingOf2(
project,detail.input):void 0}function reasonOf4({detail,log}){return((detail?.kind==="command"?detail.stopped:void 0)??tellingLine(
log)??"").slice(0,200)}function withReadyPath(project,{detail,document}){let path=detail?.kind==="failing page"?readyPathIn(document):void 0;return path===
void 0||settingOf2(project,"ready-path")!==void 0?void 0:{project:withSetting(project,{key:"ready-path",value:path,reason:"\
its first page fails here, so this path shows when the app is ready"}),message:`the app's first page fails here, so \`${path}\
\` shows when it is ready (\`ready-path\`)`}}var longStart="3m",slowSeconds=10;function timeForSlowStart(project,startSeconds){
if(startSeconds<=slowSeconds||settingOf2(project,"ready-timeout")!==void 0)return;let reason=`its start took ${Math.round(
startSeconds)} s here, and may take longer elsewhere`;return{key:"ready-timeout",value:longStart,reason}}function withTimeToStart(project,{
detail}){return detail?.kind!=="slow start"||settingOf2(project,"ready-timeout")!==void 0?void 0:{project:withSetting(project,
{key:"ready-timeout",value:longStart,reason:"its start takes more than half a minute"}),message:`the app had not started\
 after half a minute, so it gets ${longStart} (\`ready-timeout\`)`}}function withOtherLoop(project,{log}){if(!/There is no current event loop in thread 'MainThread'/.
test(log)||settingOf2(project,"server")!==void 0)return;let{name,command,eventLoop}=usualServer,value=`${command} ${eventLoop.
option} ${eventLoop.otherwise}`,reason=`its ${name} is too old for the installed ${eventLoop.preferred}`;return{project:withSetting(
project,{key:"server",value,reason}),message:`the app's ${name} cannot use the installed ${eventLoop.preferred}, so it r\
uns on ${eventLoop.otherwise} (\`server\`)`}}function withOtherServer(project,{detail,log}){let own=settingOf2(project,"\
server")?.value,missing=detail?.kind==="missing program"?detail.program:void 0,[program]=own===void 0?[]:String(own).split(
" "),{tooOld}=servers.find(({name})=>name===program)??{},lack=program!==void 0&&program===missing?`${missing} is not in \
the app's requirements`:void 0,problem=tooOld?.output.test(log)?tooOld.problem:lack;if(problem!==void 0)return{project:without(
project,"server"),message:`${problem}, so ${usualServer.name} is used instead`}}function withoutProcess(project,{detail}){
let own=settingOf2(project,"processes"),{[detail?.kind==="process"?detail.name:""]:ending2,...others}=Object(own?.value);
return detail?.kind!=="process"||own===void 0||ending2===void 0?void 0:{project:Object.keys(others).length===0?without(project,
own.key):withSetting(project,{...own,value:others}),message:`the process ${detail.name} exits here and is left out of \`p\
rocesses\`; set a command that works`}}var missingFile=/FileNotFoundError: (?:\[Errno 2\] No such file or directory: |Config file )['"]([^'"\n]*\/)?((?:[\w-]*\.)?env(?:\.[\w-]+)*)['"]/,
missingFolder=/RuntimeError: Directory '((?!\.*\/)[^'\n]*[^'\n/])\/?' does not exist/,missingLog=/FileNotFoundError: \[Errno 2\] No such file or directory: ['"]([^'"\n]+)\/[^'"\n/]+\.log['"]/;
function withEmptyFolder(project,{log}){let[,logs]=missingLog.exec(log)??[],[,folder=logs===void 0?void 0:insideOf(project,
partsOf(logs))]=missingFolder.exec(log)??[];if(!(folder===void 0||settingOf2(project,"env-file")!==void 0))return withEmpty(
project,`${folder}/`,"folder")}function insideOf({files:files2},parts){let known2=parts.findIndex(part=>files2.some(({path})=>path.
startsWith(`${part}/`)));return parts.slice(known2===-1?-1:known2).join("/")}function withEmpty(project,value,kind,why=""){
let reason=`the app does not start without this ${kind}; an empty one is enough${why}`;return{project:withSetting(project,
{key:"env-file",value,reason}),message:`the app does not start without the ${kind} \`${value}\`, so it gets an empty one \
(\`env-file\`)`}}function withEnvironmentFile(project,{log}){let[,folder="",name]=missingFile.exec(log)??[];if(name===void 0||
settingOf2(project,"env-file")!==void 0)return;let value=`${placeIn(project,partsOf(folder))}${name}`;return withEmpty(project,
value,"file",", because the load test sets the variables")}function placeIn({files:files2},parts){return parts.map((_,index)=>`${parts.
slice(index).join("/")}/`).find(end=>files2.some(({path})=>path.startsWith(end)))??""}function partsOf(folder){let parts=[];
for(let part of folder.split("/"))part===".."?parts.pop():part!==""&&part!=="."&&parts.push(part);return parts}var brokenByPackage=[
/ImportError: cannot import name/,/AttributeError: (?!module 'bcrypt' has no attribute '__about__')(?:module|type object|'[\w.]+' object|partially)/,
/TypeError: /,/NameError: name '\w+' is not defined/,/No module named '(?:imp|distutils|cgi|pydantic|starlette|sqlalchemy|fastapi)[.']/,
/requires that the Python 'greenlet' library/,/No module named 'psycopg2?'/,/pydantic\.errors\.|PydanticUserError|PydanticImportError|ConfigError/,
/sqlalchemy\.exc\.(?:ArgumentError|InvalidRequestError|ObjectNotExecutableError)/,/VersionMismatch|VersionConflict|ContextualVersionConflict/],
lastFitting=[{symptom:/passlib[\s\S]*password cannot be longer than 72 bytes/,until:"2025-09-24",reason:"passlib cannot \
hash passwords with bcrypt 5, released the day after",otherwise:"bcrypt<5"},{symptom:/greenlet['"]? library is (?:installed|required)/,
until:"2026-09-23",reason:"SQLAlchemy 2.1, released the day after, does not install greenlet, which asyncio needs",otherwise:"\
greenlet"}];function withOlderPackages(project,{log,detail}){let{requiredOn,openRequirements,...rest}=project,known2=lastFitting.
find(({symptom})=>symptom.test(log)),isLikely=known2!==void 0||detail?.kind==="process"||brokenByPackage.some(each=>each.
test(log)),isPinned=openRequirements.length===0||settingOf2(project,"install-command")!==void 0;if(known2!==void 0&&isPinned)
return withPackage(project,known2.otherwise,{reason:known2.reason,why:known2.reason});if(requiredOn===void 0||!isLikely)
return;let files2=openRequirements.join(", "),{day,reason,why}=known2!==void 0&&known2.until<requiredOn?{day:known2.until,
reason:known2.reason,why:known2.reason}:{day:requiredOn,reason:`it does not start with newer packages; ${files2} last ch\
anged on that day`,why:`when ${files2} last changed`},otherwise={...rest,openRequirements};return{project:withSetting(otherwise,
{key:"exclude-newer",value:day,reason}),message:`the app seems incompatible with newer packages, so it is tried with tho\
se up to ${day}, ${why} (\`exclude-newer\`)`,otherwise}}var missingModule=/ModuleNotFoundError: No module named '(\w+)/,
missingPackages=[missingModule,/ImportError: (email-validator) is not installed/,/RuntimeError: Form data requires "(python-multipart)"/];
function withAddedPackage(project,{log}){let name=missingPackages.map(each=>each.exec(log)?.[1]).find(each=>each!==void 0)??
"",distribution=distributionOf(name);if(distribution===void 0)return;let[,file="its requirements"]=/\((.+)\)$/.exec(project.
installer??"")??[],lack=`the app imports ${name}, which is not in ${file}`;return withPackage(project,distribution,{reason:`${lack}\
; add it there, and remove this`,why:lack})}function withPackage(project,specifier,{reason,why}){let before=[settingOf2(
project,"extra-packages")?.value??[]].flat().map(String);if(!before.includes(specifier))return{project:withSetting(project,
{key:"extra-packages",value:[...before,specifier],reason}),message:`${why}, so ${specifier} is installed in addition (\`e\
xtra-packages\`)`}}function withOtherRequirements(project,{log}){let[,name]=missingModule.exec(log)??[],[,lock]=/\(((?:uv|poetry|pdm)\.lock)\)$/.
exec(project.installer??"")??[],other=project.files.find(({path})=>path==="requirements.txt");if(name===void 0||lock===void 0||
other===void 0||settingOf2(project,"install")||!namesIn(other.text).some(each=>each.replaceAll("-","_").includes(name.toLowerCase())))
return;let lack=`${lock} lacks ${name}, which ${other.path} has`,folder=settingOf2(project,"working-directory")?.value,value=folder===
void 0?other.path:`${folder}/${other.path}`;return{project:{...withSetting(project,{key:"install",value,reason:lack}),installer:`\
pip (${value})`},message:`${lack}, so it is installed instead (\`install\`)`}}var standardModules=/^(?:ast|calendar|code|copy|email|enum|http|inspect|io|json|logging|operator|platform|queue|random|select|signal|socket|statistics|string|token|types|typing|uuid)(?:\.py|\/)/;
function hidesStandardModules(folder,files2){let inside=files2.flatMap(({path})=>path.startsWith(`${folder}/`)?[path.slice(
folder.length+1)]:[]);return inside.includes("__init__.py")&&inside.some(path=>standardModules.test(path))}function folderAround(project,name){
let folders=String(settingOf2(project,"working-directory")?.value??"").split("/"),index=folders.lastIndexOf(name);return index<
0?void 0:Array(folders.length-index).fill("..").join("/")}function withImportFolder(project,{log,detail}){let[,name]=missingModule.
exec(log)??[];if(name===void 0||namesIn2(project).has("PYTHONPATH"))return;let isCommand=detail?.kind==="command",folders=project.
files.flatMap(({path})=>{if(!path.endsWith(".py"))return[];if(isCommand&&(path===`${name}.py`||path.startsWith(`${name}/`)))
return["."];let[,folder]=new RegExp(`^(.+)/${name}(?:\\.py$|/)`).exec(path)??[];return folder===void 0?[]:[folder]}),depthOf2=folder=>folder===
"."?0:folder.split("/").length,nearest2=folders.filter(folder=>!hidesStandardModules(folder,project.files)).toSorted((a2,b2)=>depthOf2(
a2)-depthOf2(b2))[0]??folderAround(project,name);if(nearest2===void 0)return;let message=`the app imports \`${name}\`, wh\
ich is in ${nearest2}, so PYTHONPATH has that folder`,PYTHONPATH=nearest2.startsWith("src/")?`src:${nearest2}`:nearest2;
return{project:withVariables(project,{PYTHONPATH}),message}}var notFromExamples=/^(?:PORT|HOST|PATH|HOME|PYTHON.*|WEB_CONCURRENCY|WORKERS|(?:.*_)?(?:DEBUG|RELOAD|ECHO|TESTING)|.*_PORT|.*_HOST|.*DATABASE.*|.*POSTGRE.*|DB_.*)$/,
isNotFromExamples=name=>notFromExamples.test(name)||isServerVariable(name);function withMissing(project,{log}){return withValuesFor(
project,missingVariables(log,project),"the app requires")}function withNamed(project,{log}){let words=new Set(log.split(
/\W+/)),named4=project.variables.filter(({name})=>!isNotFromExamples(name)&&words.has(name));return withValuesFor(project,
named4,"the app's error names")}function withValuesFor(project,variables,why){let has=namesIn2(project),added=variables.
filter(({name})=>!has.has(name));if(added.length===0)return;let values=Object.fromEntries(added.map(each=>[each.name,valueFor(
each,project.examples)]));return{project:withVariables(project,values),message:`${why} ${Object.keys(values).join(", ")}\
; \`app-env\` sets a value`}}var ofCloud={symptom:/NoRegionError|NoCredentialsError|You must specify a region|Unable to locate credentials/,
values:{AWS_DEFAULT_REGION:"us-east-1",AWS_ACCESS_KEY_ID:"made-up-for-the-load-test",AWS_SECRET_ACCESS_KEY:"made-up-for-\
the-load-test"}};function withCloud(project,{log}){let has=namesIn2(project),added=Object.entries(ofCloud.values).filter(
([name])=>!has.has(name));if(!ofCloud.symptom.test(log)||added.length===0)return;let names2=added.map(([name])=>name).join(
", ");return{project:withVariables(project,Object.fromEntries(added)),message:`the app makes a client of AWS when it sta\
rts; \`app-env\` sets ${names2} for it`}}function withExamples(project){let has=namesIn2(project),values=project.variables.
flatMap(({name,isNeeded,value:usual2})=>{let example=project.examples.get(name);return example===void 0||example.value===
usual2?[]:isNeeded||has.has(name)||isNotFromExamples(name)?[]:[[name,example]]});if(values.length===0)return;let files2=[
...new Set(values.map(([,{path}])=>path))].join(", "),variables=Object.fromEntries(values.map(([name,{value}])=>[name,value]));
return{project:withVariables(project,variables),message:`the app did not start, so it is tried with ${Object.keys(variables).
join(", ")} as ${files2} has them`,otherwise:{...project,examples:new Map}}}var phrases=[/KeyError: ['"]([A-Z][A-Z0-9_]+)['"]/g,
/Config ['"](\w+)['"] is missing/g,/UndefinedValueError: (\w+) not found/g,/[Ee]nvironment variable ["'`]?(\w+)["'`]? (?:is )?(?:not set|missing|required|not found|must be set)/g,
/[Ss]et the ([A-Z][A-Z0-9_]+) environment variable/g,/[Ss]et (?:the )?[`'"]?([A-Z][A-Z0-9_]{2,100})[`'"]?(?: or (?:the )?[`'"]?[A-Z0-9_]{3,100}[`'"]?){0,3} environment variable/g,
/["'`]?\b([A-Z][A-Z0-9_]{2,100})["'`]? (?:environment variable )?(?:is not set|is missing|is required|not set|must be set)/g],
fields=[/(?:^|\s)([\w.]{1,200})\s{1,20}Field required \[type=missing/g,/(?:^|\s)([\w.]{1,200})\s{1,20}field required \(type=value_error\.missing\)/g,
/(?:^|\s)([\w.]{1,200})\s{1,20}Input should be a valid \w{1,20} \[type=\w{1,30}, input_value=None/g],keyOfOthers=/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_KEY|ACCESS_KEY|AUTH_TOKEN|API_TOKEN|SECRET_KEY)$/;
function readElsewhere(name,text,{files:files2,examples}){let found2={name,path:"",isNeeded:!0,type:void 0,value:void 0,
isField:!1},inCode=quoted2=>files2.some(({path,text:code})=>path.endsWith(".py")&&code.includes(quoted2)),isNamed=(examples.
has(name)||!text.includes(`KeyError: '${name}'`))&&(inCode(`"${name}"`)||inCode(`'${name}'`));return keyOfOthers.test(name)||
isNamed?found2:void 0}function missingVariables(log,{variables,...project}){let text=log.slice(-2e4),named4=phrases.flatMap(
pattern=>[...text.matchAll(pattern)].map(([,name=""])=>name)),ofFields=fields.flatMap(pattern=>[...text.matchAll(pattern)].
map(([,name=""])=>name)),found2=[...named4.map(name=>variables.find(each=>each.name===name)??readElsewhere(name,text,project)),
...ofFields.map(field=>variableOf(field,variables))].flatMap(each=>each??[]);return[...new Map(found2.map(each=>[each.name,
each])).values()]}function variableOf(field,variables){let name=field.toUpperCase(),last=name.split(".").at(-1)??name,ends2=wanted=>variables.
find(each=>each.isField&&(each.name===wanted||each.name.endsWith(`_${wanted}`)));return variables.find(each=>each.name===
name)??ends2(name.replaceAll(".","__"))??ends2(last)}var refusals=/(?:^|\s)([\w.]{1,200})\s{1,20}((?:Input|String|Value) [^\n]{1,500}?) \[type=\w{1,60}, input_value=/g,
acceptances=[[/^Input should be '([^']+)'/,([choice])=>choice],[/^String should match pattern '(.+)'$/,([pattern=""])=>textMatching(
pattern)],[/^String should have at least (\d{1,3}) character/,([least],before)=>before.padEnd(Number(least),"x")],[/^String should have at most (\d{1,3}) character/,
([most],before)=>before.slice(0,Number(most))],[/^Input should be greater than or equal to (\d{1,15})/,([least])=>least],
[/^Input should be greater than (\d{1,15})/,([below])=>String(Number(below)+1)],[/^Input should be less than or equal to (\d{1,15})/,
([most])=>most],[/^Input should be a valid (?:integer|number|decimal)/,()=>"1"],[/^Input should be a valid boolean/,()=>"\
false"],[/^Input should be a valid URL/,()=>"http://127.0.0.1:1"],[/^Input should be a valid UUID/,()=>"3fa85f64-5717-45\
62-b3fc-2c963f66afa6"]];function withAccepted(project,{log}){let given=variablesOf2(project),found2=[...log.slice(-2e4).
matchAll(refusals)].flatMap(([,field="",words=""])=>{let variable=variableOf(field,project.variables),{name=""}=variable??
{},before=given[name];if(variable===void 0||before===void 0)return[];if(before!==madeUpValue(variable)&&project.fitted?.
has(name)!==!0)return[];let value=accepted(words,before);return value===void 0||value===before?[]:[{name,value,words}]});
if(found2.length===0)return;let values=Object.fromEntries(found2.map(({name,value})=>[name,value])),refused=found2.map(({
name,words})=>`${name} (${words})`).join(", ");return{project:{...withVariables(project,values),fitted:new Set([...project.
fitted??[],...Object.keys(values)])},message:`the app rejects the invented value of ${refused}; \`app-env\` sets another`}}
function accepted(words,before){for(let[phrase,accept]of acceptances){let matched=phrase.exec(words);if(matched!==null)return accept(
matched.slice(1),before)}}var rules=[withMissing,withAccepted,withCloud,withEnvironmentFile,withEmptyFolder,withExtension,withModelTables,withOtherDriver,
withTestDatabase,withImportFolder,withReadyPath,withTimeToStart,withOtherLoop,withOtherServer,withOtherRequirements,withOlderPackages,
withAddedPackage,withNamed,withExamples,withoutCommand,withoutSeedFile,withoutProcess];function repair(project,failure){
let{phase,detail}=failure;if(phase!=="install"){if(detail?.kind==="command"&&detail.stopped!==void 0)return withoutCommand(
project,failure);for(let rule of rules){let found2=rule(project,failure);if(found2!==void 0)return found2}}}var mostAttempts=9;function stepAfter(attempt,outcome){let{project,before}=attempt;if(before!==void 0&&answersOf2(outcome)<=
answersOf2(before.trial)){let{warnings,...conclusion}=concluded(before.project,before.trial);return{...conclusion,warnings:[
"that did not help, so it is removed again",...warnings]}}if("problem"in outcome)return afterProblem(attempt,outcome);let failure={
log:outcome.failing??""},better=withModelTables(project,failure)??withOlderPackages(project,failure);return better===void 0||
before!==void 0?concluded(project,outcome):again2(attempt,better,{before:{project:better.otherwise??project,trial:outcome}})}
function again2({number:number2,isUndescribed},{project,message},more){return{warnings:[message],next:{number:number2+1,
project,isUndescribed,...more}}}function afterProblem(attempt,problem){let{number:number2,isUndescribed,guess}=attempt,lack=lackOfExtension(
problem.log);if(lack!==void 0)return unstartable(attempt,{...problem,problem:lack});let log=withoutNumbers(problem.log),
isUninstallable=guess!==void 0&&problem.phase==="install",project=guess!==void 0&&(isUninstallable||guess.log===log)?guess.
otherwise:attempt.project;if(isUninstallable)return{warnings:[],next:{number:number2+1,project,isUndescribed}};let found2=number2<
mostAttempts?repair(project,problem):void 0;if(found2===void 0)return unstartable({...attempt,project},problem);let{otherwise}=found2;
return again2(attempt,found2,otherwise===void 0?{}:{guess:{otherwise,log}})}function unstartable({project,isUndescribed},{
problem,document}){let why=short3(problem);if(document!==void 0)return{warnings:[`the app could not be started to check \
its endpoints (${why}), so those of its OpenAPI document are only listed`],project,endpoints:[...documentedEndpoints(document),
...documentedSockets(document)],isChecked:!0};let routes=isUndescribed?routesIn(project.files):[],isNamed=routes.length>
0;return{warnings:[`the app's endpoints could not be read (${why}), so ${isNamed?"they are taken from its code":"they ar\
e read when it is measured (`endpoints: auto`)"}`],project,endpoints:isNamed?routes:"auto",isChecked:isNamed}}function fixedName(log){
let[,name]=/\bdatabase "([\w-]{1,63})" does not exist/.exec(log)??[];return name===void 0?[]:[`the app connects to a dat\
abase called ${name}, whatever the variables say: let it read the name from one`]}var rateLimit="the app limits requests\
 (it answered 429): remove the limit for the load test, or most requests will fail";function concluded(project,trial){let{
refused,endpoints,isLimited,failing}=trial,lack=lackOf3(trial);return{warnings:[...refused===void 0?[]:[`the login faile\
d: ${short3(refused)}`],...isLimited===void 0?[]:[rateLimit],...fixedName(failing??""),...lack===void 0?[]:[`no endpoint\
 of the app answers here: ${lack}`]],project:withReplies(project,trial),endpoints,isChecked:!0}}function withReplies(project,{
login,seeding,startSeconds}){let requests=seeding.length===0?[]:[{key:"seed-request",value:seeding,reason:"requests that\
 create rows; {n} makes 20 of each. Change them as you like"}],slow=timeForSlowStart(project,startSeconds),found2=[login,
slow].flatMap(each=>each??[]);return{...project,findings:[...project.findings,...requests,...found2]}}function answersOf2(outcome){
return"problem"in outcome?-1:outcome.endpoints.filter(({reason})=>reason===void 0).length}function withoutNumbers(text){
return text.replaceAll(/0x[0-9a-f]+|\d+/g,"")}function lackOf3({endpoints}){let[first,...others]=endpoints.filter(({reason})=>reason===
void 0);return first===void 0?"the file shows what each of them lacks":first.line===openApiPath&&others.length===0?"only\
 its document is measured until you list one that does":void 0}function short3(text){return shortenEnd(visibleLine(text),
300)}var limits={seconds:90,testSeconds:20,quietSeconds:10};async function recordTests(workload,suite,ports){let{inside,document}=suite,
topOf=folder=>inside==="."?folder:folder.slice(0,-inside.length-1),environment=await ports.preparePython(workload.app),routes=operationsOf(
document).map(({method,path})=>`${method} ${path}`),own={app:workload.app.folder,repository:topOf(workload.app.folder)},
tests=await ports.findTests(own,environment,[]),missing=[],attempts=0;for(;;){if(tests===void 0)return;let recording=await recorded(
workload,{environment,tests,topOf,routes},suite,ports),lacking=recording.missing.filter(module=>!missing.includes(module));
if(lacking.length===0||attempts===mostAttempts2)return recording;attempts+=1,missing.push(...lacking);let{needs}=tests;if(tests=
await ports.findTests(own,environment,missing),tests?.needs.length===needs.length)return recording}}var mostAttempts2=3;
async function recorded(workload,{environment,tests,topOf,routes},{choice,readsAddress},ports){var _stack=[];try{let app=await ports.
copyApp(workload.app,"shared");let folder=topOf(app.folder);let opened=__using(_stack,await openDatabase(withoutRows(workload),
{app,python:environment},ports),!0);await opened.copy?.shareExtensions?.();let url=opened.copy?.url;ports.progress({kind:"\
step",text:"running the repository's tests to learn their requests"});let services2=workload.services??[];let{database}=workload;
let all=withTestNames(variablesFor(workload,app,url));let own=database.kind==="private"&&!readsAddress?withoutUnread(all,
database):all;let theirs=Object.entries(tests.variables).filter(([name])=>own[name]===app.variables[name]);let variables=without2(
{...own,...Object.fromEntries(theirs)},tests.onSqlite);let text=await ports.recordTests({environment,folder,needs:tests.
needs,until:workload.app.excludeNewer,routes,...limits,...url!==void 0&&dialectOf(url)!=="sqlite"&&{database:url},portVariables:[
...services2.flatMap(({appVariables})=>Object.keys(appVariables)),...database.kind==="private"?[database.variable]:[]],only:choice?.
kind==="path"?[`${folder}/${choice.path}`]:[...tests.files,...wordsOf(choice)],start:(argv,more)=>{let command={input:"t\
ests",text:shellWords(argv)??"",folder:`${folder}/${tests.folder}`},wanted={services:services2,cpus:void 0};return ports.
runCommand({...command,variables:{...variables,...more},ownFolders:Object.values(more),wanted},environment,"tests")}});return readRecording(
text)}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(_stack,_error,_hasError);_promise&&await _promise}}
function withoutUnread(all,{variable,templates={}}){let values=Object.values(templates);return values.length===0||variable in
templates||values.some(each=>each.includes("://"))?all:without2(all,[variable])}function without2(all,names2){return Object.
fromEntries(Object.entries(all).filter(([name])=>!names2.includes(name)))}function wordsOf(choice){return choice?.kind===
"words"?["-k",choice.words]:[]}function withTestNames(variables){let ofTests=Object.entries(variables).filter(([name])=>/DATABASE|POSTGRES|DB_/.
test(name)).flatMap(([name,value])=>[[`TEST_${name}`,value],[`${name}_TEST`,value]]);return{...variables,...Object.fromEntries(
ofTests)}}function withoutRows(workload){let{database}=workload;if(database.kind==="none")return workload;let commands={
migrate:database.commands?.migrate??[],seed:[]},seedFiles=database.seedFiles.filter(path=>!path.endsWith(`/${rowsFile}`));
return{...workload,database:{...database,commands,seedFiles}}}async function learnFromTests(workload,suite,ports){if(suite.choice?.kind==="none")return;let warn=text=>ports.progress(
{kind:"warning",text});if(workload.database.kind==="existing")return void warn("the repository's tests were not run: `da\
tabase-url` points to an existing server, and tests may delete data there");try{let recording=await recordTests(workload,
suite,ports);if(recording===void 0)return;let learned=learn(recording,suite.document);ports.progress(eventOf(recording,learned));
let rows=workload.database.kind==="private"?learned.rows:[];return learned.routes.length===0?void 0:{...learned,rows}}catch(error){
if(ports.signal.aborted||!(error instanceof EnvironmentError))throw error;let why=tellingLine(error.logTail)??error.message;
return void warn(`${notRun}: ${shortenEnd(visibleLine(why),300)}`)}}var notRun="the repository's tests gave no example r\
equests";function eventOf({refused,passed,failed,first},{routes}){let failure=first===""?"":`; the first failure: ${shortenEnd(
visibleLine(first),200)}`;return refused!==void 0?{kind:"warning",text:`the repository's tests were not run: ${`they can\
not be isolated on this machine (${shortenEnd(visibleLine(refused),100)})`}`}:routes.length===0?{kind:"warning",text:`${notRun}${failure||
": none of them reached the app"}`}:{kind:"step",text:`found requests to ${plural(routes.length,"route")} in the reposit\
ory's tests (${count(passed)} passed, ${count(failed)} failed)${failure}`}}async function configureApp(app,project,ports){var _stack=[];try{let warn=text=>ports.progress({kind:"warning",text});project.
lacks.forEach(warn);ports.progress({kind:"step",text:"reading the app's endpoints"});let attempt={number:1,project,isUndescribed:!isDescribed(
app.placed.app.framework)};let slow=new Map;let databases=__using(_stack,keepSeeded(),!0);for(;;){let outcome=await tryOut(
app,attempt.project,ports,{slow,seeded:databases}),step=stepAfter(attempt,outcome);if("next"in step){step.warnings.forEach(
warn),attempt=step.next,slow=stillSlow(slow);continue}let found2="problem"in outcome?void 0:await withShown(app,attempt.
project,outcome,{slow,seeded:databases},ports),last=found2?.step??step;last.warnings.forEach(warn);let all=last.endpoints,
endpoints=!("problem"in outcome)&&all!=="auto"?await measurable(app,last.project,all,found2?.learned,ports):all,path=`${app.
placed.path.replace(/[^/]*$/,"")}${rowsFile}`,rows=found2?.learned.rows??[],filled=rows.length===0?last.project:withRowsFile(
last.project,app.placed,path),whole=withReplacement(filled,endpoints,found2?.learned);return{text:app.render(renderConfiguration(
whole,endpoints)),isChecked:last.isChecked,...rows.length>0&&{rows:{path,rows}}}}}catch(_){var _error=_,_hasError=!0}finally{
var _promise=__callDispose(_stack,_error,_hasError);_promise&&await _promise}}async function measurable(app,project,endpoints,learned,ports){
let measured=endpoints.filter(({reason})=>reason===void 0),checked2=await withPorts(app,{project,endpoints:measured},ports,
async(workload,trialPorts2)=>checkConfiguration(await seeded(workload,learned,trialPorts2),trialPorts2));return checked2?.
length!==measured.length?endpoints:endpoints.map(each=>{let problem=checked2[measured.indexOf(each)]?.problem;return problem===
void 0?each:{...each,reason:`on a fresh copy of the database: ${shortenEnd(visibleLine(problem),200)}`}})}async function replaced({
placed:placed3,replacesLogin},project,learned,ports){if(replacesLogin===void 0)return;let warn=text=>ports.progress({kind:"\
warning",text}),lines=learned===void 0?[]:moduleWithoutLogin(importStringOf(project),learned.replaced);if(lines.length===
0)return void warn("`--replace-login` has no effect: no test that ran replaces a login of the app");let path=placed3.app.
folder==="."?replacementFile:`${placed3.app.folder}/${replacementFile}`;ports.isFile(path)||(await ports.write(path,`${lines.
join(`
`)}
`),ports.print(`wrote ${path}
`),lines.some(line=>line.endsWith("lambda: ..."))&&warn(`replace the dots in ${path} with what the tests return`));let reason=`\
as \`--replace-login\` said: ${replacementFile} serves the app without its login, whose cost is then not in the figures.\
 Until the base branch has that file, nothing is compared`;return withSetting(project,{key:"app",value:replacementApp,reason})}
function importStringOf(project){return String(settingOf2(project,"app")?.value)}async function withShown(app,plain,trial,before,ports){
let{placed:placed3,tests}=app,{document,confirming:confirming2=[]}=trial,readsAddress=settingOf2(plain,"database-variabl\
e")!==void 0,suite={inside:placed3.app.folder,choice:tests,document,readsAddress},shown2=await withPorts(app,{project:plain,
endpoints:[]},ports,(workload,trialPorts2)=>learnFromTests(workload,suite,trialPorts2)),open=await replaced(app,plain,shown2,
ports),project=open??plain;if(shown2===void 0)return confirming2.length===0?void 0:{step:concluded(withTables(project),trial),
learned:{...nothingLearned,rows:confirming2}};let tried=async wanted=>{let filled=wanted.length===0?project:withTables(project),
rows=[],outcome=await tryOut(app,filled,ports,{...before,fill:async ask=>{rows=await writeRows(ask,wanted)},known:open===
void 0?document:void 0},shown2);if("problem"in outcome)return;let all=[...rows,...outcome.confirming??[]],kept=all.length===
0?project:withTables(project);return{step:concluded(kept,outcome),learned:{...shown2,rows:all}}},first=await tried(shown2.
rows),{endpoints="auto"}=first?.step??{};if(endpoints!=="auto"&&endpoints.every(({from,reason})=>from===void 0||reason===
void 0)||shown2.rows.length===0)return first;let second=await tried([]);return measuredIn(second)>measuredIn(first)?second:
first}function measuredIn(tried){if(tried===void 0)return-1;let{endpoints}=tried.step;return endpoints==="auto"?0:endpoints.
filter(({reason})=>reason===void 0).length}function withTables(project){let has=name2=>project.findings.some(({key})=>key===
name2),[,module,name,call]=/^([\w.]+):(\w+)(\(\))?$/.exec(importStringOf(project))??[];if(has("migrate-command")||has("s\
eed")||module===void 0)return project;let value=`python -c "${["import asyncio",...call===void 0?[`from ${module} import\
 ${name} as app`]:[`import ${module}`,`app = ${module}.${name}()`],"asyncio.run(app.router.lifespan_context(app).__aente\
r__())"].join("; ")}"`;return{...project,findings:[...project.findings,{key:"migrate-command",value,reason:"the app crea\
tes its tables when it starts"}]}}function withReplacement(project,endpoints,learned){if(!(!(settingOf2(project,"app")?.
value===replacementApp)&&endpoints!=="auto"&&endpoints.some(({from,reason=""})=>from!==void 0&&/answered 40[13]/.test(reason)))||
learned===void 0)return project;let proposals=[...project.proposals,...proposeReplacement(importStringOf(project),learned.
replaced)];return{...project,proposals}}function withRowsFile(project,{from},path){let own=from==="."?path:path.slice(from.
length+1),before=project.findings.find(({key})=>key==="seed"),present=before===void 0?[]:[before.value].flat(),reason=`${before===
void 0?"":`${before.reason}; `}the last file has what \`init\` adds to the database`,seed={key:"seed",value:[...present,
own],reason};return{...project,findings:[...project.findings.filter(each=>each!==before),seed]}}async function withPorts(app,{
project,endpoints},ports,use){let file=app.fileOf(app.render(renderConfiguration(project,endpoints))),{workload,reporting}=parseConfig(
"plan",{},ports.files,{file});return workload&&await use(workload,await ports.trialPorts({workload,reporting},ports.progress))}
async function tryOut(app,project,ports,circumstances,learned){let asked=async isNobody=>await withPorts(app,{project,endpoints:[]},
ports,(workload,trialPorts2)=>withTrial(workload,trialPorts2,running=>tryApp(running,{firstUsers:[...[findFirstUser(project.
variables,variablesOf2(project))].flatMap(each=>each??[]),...literalAccounts(project.files)],keys:findKeys(project.variables,
variablesOf2(project)),hasLogin:isNobody||workload.login!==void 0,hidden:routesIn(project.files).map(({line})=>line),...defined(
{learned})}),circumstances)),outcome=await asked(!1)??{phase:"import",problem:"no app was named",log:""};if(!("problem"in
outcome)||outcome.detail?.kind!=="other store")return outcome;let instead=await asked(!0);return instead===void 0||"prob\
lem"in instead?outcome:{...instead,refused:outcome.problem}}async function seeded(workload,learned,{keepText}){let{database}=workload;
if(database.kind==="none"||learned===void 0||learned.rows.length===0)return workload;let path=await keepText("rows.sql",
renderRows(learned.rows));return{...workload,database:{...database,seedFiles:[...database.seedFiles,path]}}}async function init(wanted,ports){let found2=ports.findApps(),[first,...others]=placeApps(chooseApps(nearbyApps(found2,ports.
here,wanted),wanted)),paths=[first,...others].map(({path})=>path),present=[...paths,workflowPath].filter(path=>ports.isFile(
path)),unread=configurationPaths.filter(path=>!paths.includes(path)&&ports.isFile(path));if(unread.length>0&&!wanted.overwrites)
throw new InputError(unread.map(path=>`${path} would no longer be read; remove it, or add \`--overwrite\``));let{script:chosen2}=wanted,
isTheirs=path=>[first,...others].some(({from})=>isWithin(path,from));if(chosen2!==void 0&&!(ports.isFile(chosen2)&&isTheirs(
chosen2)))throw new InputError([`--script: must be a file in the repository, inside an app's folder (got ${JSON.stringify(
chosen2)})`]);let files2=await ports.readRepository(),scripts={files:ports.readScripts(),...defined({chosen:chosen2})},made=async each=>{
let variables=await ports.readVariables(ownFiles(each.app,files2,found2)),project=withTablesToFill(findProject(each,files2,
found2,variables,await ports.presetsHere(),scripts)),{openRequirements:open}=project,requiredOn=open.length===0?void 0:await ports.
changedOn(each.app.folder,open),python=wanted.python===void 0?[]:[pythonFinding(wanted.python)],kept=wanted.overwrites?void 0:
ports.textOf(each.path),known2={...project,...defined({requiredOn})};return configurationOf(each,wanted,{...known2,findings:[
...project.findings,...python]},kept,{...ports,progress:named3(each.name,ports.progress)})},configurations=[await made(first),
...await fewAtOnce(others,mostAtOnce,made)],planned=parseRequest("plan",{},ports.files,{pullRequest:noPullRequest,configurations}),
services2=planned.apps.flatMap(({workload})=>[...workload.services??[],...workload.database.kind==="mysql"?[mysqlService]:
[]]),workflow={name:workflowPath,text:renderWorkflow(paths,[...packagesOf(services2),...packagesOfExtensions(files2.map(
({text})=>text))]),isNew:!0};for(let{name,text,isNew}of[...configurations,workflow]){let isThere=present.includes(name);
if(isThere&&!wanted.overwrites&&(name===workflowPath||!isNew)){ports.print(`left ${name} unchanged
`);continue}await ports.write(name,text);let did=isThere?wanted.overwrites?"replaced":"added to":"wrote";ports.print(`${did}\
 ${name}

${indented(text)}
`)}await ignoreResults(ports);for(let path of unread)ports.progress({kind:"warning",text:`${path} is no longer read; rem\
ove it`});return others.length>0&&ports.print(`measure them here: ${shellWords(["run",...paths.flatMap(path=>["--config",
ports.fromHere(path)])])}
`),configurations.every(({isChecked})=>isChecked)?planned:void 0}var mostAtOnce=3;function named3(name,progress){return event=>progress(
"text"in event&&name!==void 0?{...event,text:`${name}: ${event.text}`}:event)}var resultsDirectory="loadtest-results/";async function ignoreResults(ports){
let text=ports.textOf(".gitignore");text===void 0||/^\/?loadtest-results\/?[ \t\r]*$/m.test(text)||(await ports.write(".\
gitignore",`${text}${text===""||text.endsWith(`
`)?"":`
`}${resultsDirectory}
`),ports.print(`added ${resultsDirectory} to .gitignore
`))}function pythonFinding(value){return{key:"python",value,reason:"as `--python` said"}}var noPullRequest={kind:"none",
reason:"nothing has been measured yet"};async function configurationOf(placed3,{tests,replacesLogin},project,kept,ports){
let app={placed:placed3,...defined({tests,replacesLogin}),render:written2=>merged(placed3.path,kept,written2),fileOf:written2=>fileOf(
placed3,written2,ports)},{rows,...made}=await configureApp(app,project,ports),isNew=made.text!==kept;if(rows!==void 0&&isNew&&
made.text.includes(nameOf2(rows.path))){let before=kept?.includes(nameOf2(rows.path))?ports.textOf(rows.path):void 0;await ports.
write(rows.path,renderRows(rows.rows,before)),ports.print(`wrote ${rows.path}
`)}return{name:placed3.path,...made,file:fileOf(placed3,made.text,ports),isNew}}function merged(path,kept,written2){if(kept===
void 0)return written2;let both=withAdded(path,kept,written2);if(typeof both=="string")throw new InputError([both]);return both.
text}function fileOf({path,from},text,{folder}){return parseConfigurationFile(path,from==="."?folder:`${folder}/${from}`,
text)}function indented(text){return text.replaceAll(/^(?=.)/gm,"    ")}var fewestPoints=8;function seriesOf(trends2){return trends2.flatMap(trend=>[...groupBy(trend.lines,({machine})=>machine.
fingerprint)].flatMap(([fingerprint,all])=>metrics.flatMap(metric=>{let lines=all.filter(line=>line[metric.key]!==null),
values=lines.map(line=>line[metric.key]??0);return lines.length===0?[]:[{trend,metric,fingerprint,lines,values}]})))}function isLongEnough({
values}){return values.length>=fewestPoints}var metrics=[{title:"Throughput [req/s]",key:"throughputRequestsPerSecond",isMoreBetter:!0,
isSpeed:!0},{title:"Latency p50 [ms]",key:"p50Ms",isMoreBetter:!1,isSpeed:!0},{title:"Latency p95 [ms]",key:"p95Ms",isMoreBetter:!1,
isSpeed:!0},{title:"CPU per request [ms]",key:"cpuPerRequestMs",isMoreBetter:!1,isSpeed:!1},{title:"SQL statements per r\
equest",key:"statementsPerRequest",isMoreBetter:!1,isSpeed:!1}],figure2=number(),answerSchema=strictObject({schemaVersion:literal(
1),changes:array(strictObject({series:int().nonnegative(),index:int().positive(),meanBefore:figure2,meanAfter:figure2,sdBefore:figure2,
sdAfter:figure2,pValue:number().min(0).max(1)}))});function questionOf(series){return JSON.stringify({schemaVersion:1,series:series.
map(({values})=>values)})}function parseAnswer(text,series){let{changes}=answerSchema.parse(JSON.parse(text));return changes.
map(found2=>{let own=changes.filter(each=>each.series===found2.series).map(({index})=>index);return changePointOf(found2,
series[found2.series],own)}).toSorted((a2,b2)=>a2.at.startedAt===b2.at.startedAt?series.indexOf(a2.series)-series.indexOf(
b2.series):a2.at.startedAt<b2.at.startedAt?1:-1)}function changePointOf(found2,series,indexes){let{index,meanBefore,meanAfter,
sdBefore,sdAfter,pValue}=found2,at=series?.lines[index],previous=series?.lines[index-1];if(series===void 0||at===void 0||
previous===void 0)throw new Error(`the engine names point ${index} of series ${found2.series}, which was not requested`);
let start=Math.max(0,...indexes.filter(each=>each<index)),end=Math.min(series.values.length,...indexes.filter(each=>each>
index));return{series,index,at,previous,before:{mean:meanBefore,sd:sdBefore,points:index-start},after:{mean:meanAfter,sd:sdAfter,
points:end-index},change:meanBefore===0?void 0:meanAfter/meanBefore-1,isBetter:meanAfter>meanBefore===series.metric.isMoreBetter,
pValue}}var mostWarnings=5;function readHistory(texts){let read=texts.map(linesOf),newest=new Map;for(let line of read.flatMap(({
lines:lines2})=>lines2).toSorted(byTime))newest.set(JSON.stringify([line.report,line.cell,line.commit]),line);let lines=[
...newest.values()].toSorted(byTime);return{trends:[...groupBy(lines,({report,cell})=>JSON.stringify([report,cell])).values()].
flatMap(trendOf).toSorted(byName),machines:machinesOf(lines),commits:new Set(lines.map(({commit:commit2})=>commit2)).size,
warnings:warningsOf(read.flatMap(({warning})=>warning??[]))}}function linesOf({name,text,problem}){if(problem!==void 0)return{
lines:[],warning:`${name} ${problem}`};let written2=text.split(`
`).filter(line=>line.trim()!==""),lines=written2.flatMap(line=>parseHistoryLine(line)??[]),lost=written2.length-lines.length;
if(lost===0)return{lines};let what=written2.length===1?"its line":`${lost} of ${written2.length} lines`;return{lines,warning:`${name}\
: ${what} cannot be read, or is of a later version`}}function warningsOf(all){let more=all.length-mostWarnings;return more>
0?[...all.slice(0,mostWarnings),`and ${more} more files`]:all}function trendOf(lines){return lines.slice(-1).map(({report,
cell,app,endpoint,workers:workers2})=>({report,cell,app,endpoint,workers:workers2,lines}))}function machinesOf(lines){return[
...groupBy(lines,({machine})=>machine.fingerprint).values()].flatMap(own=>{let commits=new Set(own.map(({commit:commit2})=>commit2)).
size;return own.slice(0,1).map(({machine})=>({...machine,commits}))})}function byTime(a2,b2){return a2.startedAt!==b2.startedAt?
a2.startedAt<b2.startedAt?-1:1:a2.runId-b2.runId}function byName(a2,b2){let names2=trend=>[trend.report,trend.app??"",trend.
endpoint];for(let[index,name]of names2(a2).entries()){let other=names2(b2)[index]??"";if(name!==other)return name<other?
-1:1}return a2.workers-b2.workers}function openTrends(texts){let history=readHistory(texts),series=seriesOf(history.trends),searched=series.filter(isLongEnough);
return{history,series,searched,question:searched.length===0?void 0:questionOf(searched)}}function trendsOf({history,series,
searched},answer=nothingSearched){let changePoints=answer.kind==="no answer"?{kind:"not computed",reason:answer.reason}:
{kind:"found",changes:parseAnswer(answer.text,searched)};return{history,series,changePoints}}var nothingSearched={kind:"\
no answer",reason:`It takes ${fewestPoints} commits of one cell, measured on one kind of machine.`};function changesOf({
changePoints}){return changePoints.kind==="found"?changePoints.changes:[]}var recordNote="This page is only a record and never decides a pull request: machines differ from run to run, so a pull \
request compares only what was measured side by side.",changePointsNote="Apache Otava finds the change points with its o\
wn settings, separately for each cell (one endpoint at one worker count) and each kind of machine. p is the probability \
that chance alone makes two levels differ this much, by a t-test. Changes with p below 0.001 are shown. p is too low, be\
cause the same figures also chose where to split: about 2 in 100 series in which nothing changed have a change point, an\
d 8 in 100 of those with 100 points.";function titleOf(trends2){let{history,changePoints}=trends2,found2=changePoints.kind===
"found"?plural(changePoints.changes.length,"change point"):"change points not computed";return`Load test trends – ${plural(
history.trends.length,"cell")}, ${plural(history.commits,"commit")}, ${found2}`}function trendName(trend,{trends:trends2}){
let{report,app,endpoint,workers:workers2}=trend,words=`${[...trends2.some(each=>each.report!==report)?[report]:[],...app===
null?[]:[app]].map(part=>`${part}: `).join("")}${endpoint}, ${plural(workers2,"worker")}`,others=trends2.filter(each=>each!==
trend&&hasSameWords(each,trend));return others.length===0?words:`${words} (cell ${shortCell(trend,others)})`}function hasSameWords(a2,b2){
return a2.endpoint===b2.endpoint&&a2.workers===b2.workers&&a2.app===b2.app&&a2.report===b2.report}function shortCell({cell},others){
let end=cell.slice(-8);return others.some(other=>other.cell.endsWith(end))?cell:end}function machineLetter(fingerprint,{
machines}){let index=machines.findIndex(machine=>machine.fingerprint===fingerprint);return index<letters.length?letters[index]??
"–":String(index+1)}var letters="ABCDEFGHIJKLMNOPQRSTUVWXYZ";function changeWords({change,isBetter,series,before,after}){
let isUp=after.mean>before.mean,word=series.metric.isSpeed?isBetter?"faster":"slower":isUp?"more":"less";return`${isUp?"\
▲":"▼"} ${changeText(change)}, ${word}`}function bisectCommand({at,previous,series}){let{app,endpoint}=series.trend;
if(!(!series.metric.isSpeed||endpoint.includes(`
`)))return shellWords(["fastapi-loadtest","bisect","--good",commitWords(previous),"--bad",commitWords(at),"--endpoint",endpoint,
...app===null?[]:["--name",app]])}function acceptedWords({at}){return at.accepted===null?"":`accepted by ${at.accepted.by}\
: ${at.accepted.reason}`}function changeText(change){return change===void 0||!Number.isFinite(change)?"from 0":signedPercent(
change)}function levelWords({mean,sd,points}){return`${figure(mean)} ± ${figure(sd)} (${points})`}function pValueWords({
pValue}){return pValue<1e-5?"<0.00001":pValue.toFixed(5).replace(/0+$/,"")}function dayWords({startedAt}){return startedAt.
slice(0,10)}function timeWords({startedAt}){return`${startedAt.slice(0,10)} ${startedAt.slice(11,16)}`}function commitWords({
commit:commit2}){return commit2.slice(0,10)}function foundWords(trend,trends2){let{history,series,changePoints}=trends2,
ofTrend=series.filter(each=>each.trend===trend),isAlone=ofTrend.every(({fingerprint})=>fingerprint===ofTrend[0]?.fingerprint);
return history.machines.flatMap(({fingerprint})=>{let own=ofTrend.filter(each=>each.fingerprint===fingerprint),[first]=own;
if(first===void 0)return[];let letter=isAlone?"":`${machineLetter(fingerprint,history)}: `,longest=longestOf(own,first),
points=longest.values.length;if(!isLongEnough(longest))return[`${letter}too few points (${points} of ${fewestPoints})`];
if(changePoints.kind==="not computed")return[`${letter}not computed`];let changes=changesOf(trends2).filter(change=>own.
includes(change.series));return[`${letter}${changes.length>0?changes.length:`none in ${plural(points,"point")}`}`]}).join(
"; ")||"–"}function longestOf(own,first){return own.reduce((longest,each)=>each.values.length>longest.values.length?each:
longest,first)}var mostChanges=30;function renderTrendsSummary(trends2){let{history,changePoints}=trends2,all=changesOf(
trends2),shown2=all.slice(0,mostChanges),rows=shown2.map(change=>{let{at,series}=change;return tableRow([codeSpan(trendName(
series.trend,history)),series.metric.title,changeWords(change),[`${codeSpan(commitWords(at))} ${dayWords(at)}`,sentence(
acceptedWords(change))].filter(words=>words!=="").join(", "),sentence(pValueWords(change))])}),head=[tableRow(["Cell","F\
igure","Change","Since","p"]),"| --- | --- | --: | --- | --: |"];return[`## ${sentence(titleOf(trends2))}`,...changePoints.
kind==="not computed"?[sentence(`Change points were not computed. ${changePoints.reason}`)]:[],...history.warnings.map(warning=>sentence(
warning)),...rows.length>0?[[...head,...rows].join(`
`)]:[],...all.length>shown2.length?[`${plural(all.length-shown2.length,"older one")} in the page.`]:[],recordNote,""].join(
`

`)}function trendsLines(trends2){return[titleOf(trends2),...changesOf(trends2).flatMap(change=>linesOf2(change,trends2))]}
function linesOf2(change,{history}){let{series,at}=change,what=`${trendName(series.trend,history)}: ${series.metric.title}\
 ${changeWords(change)}`,accepted2=acceptedWords(change),since=`${what} since ${commitWords(at)} (${dayWords(at)}, p ${pValueWords(
change)})`,command=bisectCommand(change);return[`  ${printable(accepted2===""?since:`${since}, ${accepted2}`)}`,...command===
void 0?[]:[`    ${command}`]]}var mostPoints=4e3,mostOfCell=500;function shownLines({lines},{history}){let share2=Math.max(1,Math.floor(mostPoints/Math.
max(1,history.trends.length)));return lines.slice(-Math.min(mostOfCell,share2))}function cellPlace(index){return`cell-${index+
1}`}function trendsDataOf(trends2){let{history}=trends2;return{schemaVersion:1,machines:history.machines.map(({fingerprint})=>machineLetter(
fingerprint,history)),cells:history.trends.map((trend,index)=>cellOf(trend,index,trends2))}}function cellOf(trend,index,trends2){
let{machines}=trends2.history,lines=shownLines(trend,trends2),machineOf=line=>machines.findIndex(({fingerprint})=>fingerprint===
line.machine.fingerprint),places=new Map(lines.map((line,place)=>[line,place]));return{id:cellPlace(index),name:visibleLine(
shortenMiddle(trendName(trend,trends2.history),200)),points:lines.map(line=>({commit:commitWords(line),time:timeWords(line),
machine:machineOf(line),throughput:throughputOf(line),latency:[line.p50Ms,line.p95Ms,line.p99Ms].map(ms=>ms===null?null:
short(ms))})),changes:changesOf(trends2).filter(({series})=>series.trend===trend).flatMap(change=>changeOf2(change,places,
machineOf(change.at)))}}function throughputOf(line){let{throughputRequestsPerSecond:value}=line,{throughputLowRequestsPerSecond:low,
throughputHighRequestsPerSecond:high}=line;return value===null?[]:low===null||high===null?[short(value)]:[short(value),short(
low),short(high)]}var drawn={throughputRequestsPerSecond:"throughput",p50Ms:"p50",p95Ms:"p95"};function changeOf2(point,places,machine){
let{series,index,isBetter,before,after}=point,kind=drawn[series.metric.key],placeOf4=at2=>{let line=series.lines[at2];return line===
void 0?void 0:places.get(line)},at=placeOf4(index),last=placeOf4(index-1),end=placeOf4(index+after.points-1);if(kind===void 0||
at===void 0||last===void 0||end===void 0)return[];let first=placeOf4(index-before.points)??0;return[{kind,machine,at,text:[
changeWords(point),acceptedWords(point)].filter(words=>words!=="").join(", "),isBetter,before:{from:first,to:last,mean:short(
before.mean)},after:{from:at,to:end,mean:short(after.mean)}}]}function renderTrends(trends2,page){let{history,changePoints}=trends2,title=titleOf(trends2);return html`${documentHead(
title,page?.scriptHash)}
<body>
<main>
<h1>${title}</h1>
<p>${recordNote}</p>
${changePoints.kind==="not computed"?html`<p class="warning">Change points were not computed. ${changePoints.reason}</p>`:
void 0}
${history.warnings.map(warning=>html`<p class="warning">${warning}</p>`)}
${changesSection(trends2)}
<h2>Cells</h2>
${cellsTable(trends2)}
${machinesSection(trends2)}
<div class="charts" id="cells">
${history.trends.map((trend,index)=>cellSection(trend,index,trends2))}
</div>
</main>
${page&&html`${dataBlock("trends",trendsDataOf(trends2))}
<script>${{markup:page.script}}</script>
`}</body>
</html>
`.markup}function table(titles,rows){return html`<div class="scroll"><table>
<thead><tr>${titles.map(([title,kind])=>html`<th scope="col"${numeric(kind)}>${title}</th>`)}</tr></thead>
<tbody>${rows}
</tbody></table></div>`}function numeric(kind){return{markup:kind===void 0?"":' class="number"'}}function changesSection(trends2){
if(trends2.changePoints.kind==="not computed")return;let changes=changesOf(trends2),machine=hasMachines(trends2)?[["Mach\
ine"]]:[];return html`<h2>Change points</h2>
${changes.length===0?html`<p>None was found. The table of cells shows where there were too few points.</p>`:table([["Cel\
l"],["Figure"],["Change","number"],["Since commit"],["Before","number"],["After","number"],["p","number"],...machine],changes.
map(change=>changeRow(change,trends2)))}
<p class="small">Before and after: mean ± standard deviation, with the number of commits at that level in brackets. ${changePointsNote}</p>`}
function hasMachines({history}){return history.machines.length>1}function changeRow(change,trends2){let{series,at,previous,
before,after,isBetter}=change,{history}=trends2,place=cellPlace(history.trends.indexOf(series.trend)),machine=hasMachines(
trends2)&&html`<td>${machineLetter(series.fingerprint,history)}</td>`;return html`
<tr><th scope="row"><a href="#${place}">${trendName(series.trend,history)}</a></th><td>${series.metric.title}</td><td class="number verdict ${isBetter?
"good":"bad"}"${sortKey(change.change)}>${changeWords(change)}</td><td><code>${commitWords(at)}</code> <span class="verdict">${dayWords(
at)}</span><br>after <code>${commitWords(previous)}</code>${acceptedMarkup(change)}${bisectMarkup(change)}</td><td class="number"${sortKey(
before.mean)}>${levelWords(before)}</td><td class="number"${sortKey(after.mean)}>${levelWords(after)}</td><td class="number"${sortKey(
change.pValue)}>${pValueWords(change)}</td>${machine||void 0}</tr>`}function bisectMarkup(change){let command=bisectCommand(
change);return command===void 0?void 0:html`<br><code>${command}</code>`}function acceptedMarkup(change){let words=acceptedWords(
change);return words===""?void 0:html`<br>${words}`}function cellsTable(trends2){let{history}=trends2,rows=history.trends.
map((trend,index)=>{let last=trend.lines.at(-1);return html`
<tr><th scope="row"><a href="#${cellPlace(index)}">${trendName(trend,history)}</a></th><td>${foundWords(trend,trends2)}</td><td class="number"${sortKey(
trend.lines.length)}>${trend.lines.length}</td><td class="verdict">${last&&dayWords(last)}</td>${last&&figureCells(last,
2,sortKey)}</tr>`});return table([...[["Cell"],["Change points"],["Commits","number"],["Newest"]],...figureTitles.slice(
0,3)],rows)}var figureTitles=[["Throughput [req/s]","number"],["p50 [ms]","number"],["p95 [ms]","number"],["p99 [ms]","n\
umber"]];function figureCells(line,percentiles,key){let{throughputRequestsPerSecond:value}=line,{throughputLowRequestsPerSecond:low,
throughputHighRequestsPerSecond:high}=line,interval=low===null||high===null?void 0:{low,high},latencies=[line.p50Ms,line.
p95Ms,line.p99Ms].slice(0,percentiles);return html`<td class="number"${key(value)}>${value===null?"–":plusMinus({value,
interval})}</td>${latencies.map(ms=>html`<td class="number"${key(ms)}>${known(ms)}</td>`)}`}var unsorted=()=>{};function sortKey(value){
return typeof value=="number"&&Number.isFinite(value)?html` data-sort="${short(value)}"`:void 0}function known(value,words=figure){
return words(value??void 0)}function machinesSection({history}){let rows=history.machines.map(({fingerprint,cpuModel,cores,
commits})=>html`
<tr><th scope="row">${machineLetter(fingerprint,history)}</th><td>${cpuModel}</td><td class="number">${cores}</td><td><code>${fingerprint}</code></td><td class="number">${commits}</td></tr>`);
return html`<h2>Machines</h2>
${table([["Machine"],["CPU model"],["Cores","number"],["Fingerprint"],["Commits","number"]],rows)}
<p class="small">${"Results from different kinds of machine are neither connected by a line nor compared. Kinds differ b\
y CPU model, cores, memory, platform or the runner's image."}</p>`}function cellSection(trend,index,trends2){let{history}=trends2,
lines=shownLines(trend,trends2),left=trend.lines.length-lines.length,rows=lines.toReversed().map(line=>html`
<tr><th scope="row"><code>${commitWords(line)}</code></th><td>${timeWords(line)}</td><td>${machineLetter(line.machine.fingerprint,
history)}</td>${figureCells(line,3,unsorted)}<td class="number">${known(line.cpuPerRequestMs)}</td><td class="number">${known(
line.statementsPerRequest,perRequest)}</td></tr>`),titles=[["Commit"],["Measured (UTC)"],["Machine"],...figureTitles,["C\
PU/req [ms]","number"],["SQL/req","number"]];return html`<section aria-labelledby="${cellPlace(index)}">
<h2 id="${cellPlace(index)}" tabindex="-1">${trendName(trend,history)}</h2>
<details><summary>Figures of ${plural(lines.length,"commit")}, newest first${left>0?html`; ${plural(left,"older one")} left out for the page's length`:
void 0}</summary>
${table(titles,rows)}</details>
</section>
`}async function trends({history},ports){let texts=await ports.readHistory(history);if(typeof texts=="string")throw new InputError(
[`history: ${history} ${texts}`]);let open=openTrends(texts);for(let text of open.history.warnings)ports.progress({kind:"\
warning",text});if(open.history.trends.length===0)throw new InputError([`history: ${history} contains no results of this\
 action`]);let answer=open.question===void 0?void 0:await ports.findChanges(open.question);answer?.kind==="no answer"&&ports.
progress({kind:"warning",text:`no change points: ${answer.reason}`});let made=trendsOf(open,answer),html2=await ports.save(
"trends.html",renderTrends(made,await ports.readPageScript()));return ports.print([...trendsLines(made),`Report: ${html2}`].
map(line=>`${line}
`).join("")),await ports.setOutputs({html:html2}),await ports.addSummary(renderTrendsSummary(made)),made}var state="bisect.json";function bisectPorts(shared){return{...runPorts(shared),signal:shared.signal,openRange:async(good,bad)=>{
let workFolder=await shared.workFolder(),options={workFolder,logFolder:workFolder,signal:shared.signal};return await openCommitRange(
process.cwd(),{good,bad},options)},readState:folder=>openResultsFolder(folder).read(state),saveState:async(folder,text)=>{
let results=openResultsFolder(folder);await results.make(),await results.write(state,text)}}}import{resolve}from"node:path";function checkPorts({isJson},shared){let{terminal}=shared,quiet={...shared,terminal:{...terminal,progress:()=>{}}},ports=runPorts(
isJson?quiet:shared),paths=new Set(configurationPaths.map(path=>resolve(path)));return{...ports,request:{...ports.request,
readConfigurationFile:async name=>(paths.add(resolve(name||configurationPaths[0])),await ports.request.readConfigurationFile(
name))},configurationChanged:()=>watchFiles([...paths],shared.signal)}}import{existsSync}from"node:fs";import{join,relative}from"node:path";var commandSeconds=180;function initPorts(shared){let{terminal}=shared,folder=findRepository(process.cwd()),gitOptions=async()=>({
logFolder:await shared.workFolder(),signal:shared.signal}),environments2=new Map;return{progress:terminal.progress,files,
folder,here:relative(folder,process.cwd())||".",fromHere:path=>relative(process.cwd(),join(folder,path)),isFile:path=>existsSync(
join(folder,path)),textOf:path=>textOfPlainFile(join(folder,path),{largestBytes:1e6}),readRepository:async()=>[...readRepository(
folder),...await committedEnvironment(folder,await gitOptions())],readScripts:()=>readScripts(folder),findApps:()=>files.
findApps(folder),readVariables:sources=>readVariables(sources,shared.signal),presetsHere:async()=>{let all=await Promise.
all(Object.entries(servicePresets).map(async([name,preset])=>await hasProgram(preset)?[name]:[]));return new Set(all.flat())},
trialPorts:async(wanted,progress)=>{let ports=await trialPorts(wanted,{...shared,terminal:{...terminal,progress}}),preparePython=async app=>{
let key=JSON.stringify(app),environment=environments2.get(key)??await ports.preparePython(app);return environments2.set(
key,environment),environment},bytecode={PYTHONPYCACHEPREFIX:join(await shared.workFolder(),"bytecode")},withBytecode=command=>({
...command,variables:{...bytecode,...command.variables}});return{...ports,preparePython,runCommand:(command,...more)=>ports.
runCommand({...withBytecode(command),withinSeconds:commandSeconds},...more),startApp:(command,...more)=>ports.startApp(withBytecode(
command),...more),readDocument:(python,started,variables,within)=>ports.readDocument(python,started,{...bytecode,...variables},
within),tryImport:(python,started,variables,within)=>ports.tryImport(python,started,{...bytecode,...variables},within)}},
changedOn:async(place,paths)=>await changedOn(join(folder,place),paths,await gitOptions()),write:async(path,text)=>{await openResultsFolder(
folder).write(path,text)},print:text=>terminal.finish(text)}}import{join as join2,resolve as resolve2}from"node:path";function trendsPorts({resultsDirectory:resultsDirectory2,python},shared){let{environment,runner,signal,terminal}=shared,
results=openResultsFolder(resolve2(resultsDirectory2));return{progress:terminal.progress,readHistory:async history=>files.
isFolder(history)?readHistoryFolder(history)??"holds no cells/REPORT/COMMIT.jsonl":readHistoryAtRef(process.cwd(),history,
{logFolder:await shared.workFolder(),signal}),findChanges:async question=>{let installing="installing Apache Otava, whic\
h finds change points";return askOtava(question,{programFolder:join2(packageFolder,"tools","otava"),python,cacheFolder:cacheFolderOf(
environment),logFolder:await shared.workFolder(),signal,onStep:()=>terminal.progress({kind:"step",text:installing})})},readPageScript:()=>readPageScript(
pageScriptPath),save:(name,text)=>results.write(name,text),addSummary:runner.addSummary,setOutputs:runner.setOutputs,print:text=>terminal.
finish(text)}}export{again,bisect,bisectPorts,check2 as check,checkPorts,explain2 as explain,explainPorts,init,initPorts,trends,trendsPorts};
